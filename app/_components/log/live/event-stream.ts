import { createParser } from 'eventsource-parser';
import type { SessionEventDto } from '@/lib/insight/sessions/schema';
import type { StoredEvent } from '../log-rows';

export interface SseMessage {
  /** `message` where the stream names none. */
  event: string;
  id: string | null;
  data: string;
}

/** The server says something at least every 15 s; a line that is silent for longer is dead. */
const SILENCE_MS = 40_000;

export interface StreamListener {
  onOpen: () => void;
  onMessages: (messages: readonly SseMessage[]) => void;
  /** `status` of an answer that was no stream; null when the line broke. */
  onClosed: (status: number | null) => void;
}

/** Opens the stream behind the event with this number; the answer closes it without a word. */
export type OpenStream = (after: number, listener: StreamListener) => () => void;

/**
 * By fetch and not by EventSource, which keeps the status of a refused request to itself and
 * never notices a line that died in silence.
 */
export function streamOf(url: string): OpenStream {
  return (after, listener) => {
    const controller = new AbortController();
    let isClosed = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const close = () => {
      isClosed = true;
      clearTimeout(timer);
      controller.abort();
    };
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(), SILENCE_MS);
    };
    const read = async (): Promise<number | null> => {
      watch();
      const response = await fetch(url, {
        headers: { accept: 'text/event-stream', 'last-event-id': String(after) },
        cache: 'no-store',
        signal: controller.signal,
      });
      if (!response.ok || !response.body) return response.status;
      if (!isClosed) listener.onOpen();
      const messages: SseMessage[] = [];
      const parser = createParser({
        onEvent: ({ event = 'message', id = null, data }) => messages.push({ event, id, data }),
      });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { value, done } = await reader.read();
        if (done || isClosed) return null;
        watch();
        parser.feed(value);
        if (messages.length > 0) listener.onMessages(messages.splice(0));
      }
    };
    const end = (status: number | null) => {
      if (isClosed) return;
      close();
      listener.onClosed(status);
    };
    read().then(end, () => end(null));
    return close;
  };
}

/** Complete by type: a kind that the log learns has to be added here. */
const KINDS: Record<StoredEvent['kind'], true> = {
  init: true,
  text: true,
  answer_part: true,
  tool_call: true,
  tool_result: true,
  request_usage: true,
  api_retry: true,
  model_fallback: true,
  compaction: true,
  rate_limit: true,
  result: true,
  unparsed: true,
  system: true,
  question: true,
  question_closed: true,
  command: true,
  process: true,
  stderr: true,
  check_result: true,
  checkpoint: true,
  notice: true,
  decision: true,
};

/**
 * An event of the API as the log takes it in. Its payload was checked when it was stored; a kind
 * that this version of the page does not know yet becomes a line with its name.
 */
export function storedEvent({ seq, at, kind, payload }: SessionEventDto): StoredEvent {
  if (kind in KINDS) return { ...payload, kind, seq, at } as StoredEvent;
  return { kind: 'system', subtype: kind, detail: payload, seq, at };
}
