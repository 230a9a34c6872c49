import { createParser } from 'eventsource-parser';

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
