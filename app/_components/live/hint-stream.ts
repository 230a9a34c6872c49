import { createParser } from 'eventsource-parser';

/**
 * The server sends something at least every 15 s; a connection that is silent for longer is closed.
 */
const SILENCE_MS = 40_000;

export interface StreamListener {
  onMessage: (event: string, data: unknown) => void;
  onClosed: () => void;
}

/** Opens a stream for these topics. @returns a function that closes it without a call */
export type OpenStream = (topics: readonly string[], listener: StreamListener) => () => void;

/**
 * Opens the stream of `/api/live`. By fetch and not by EventSource, which never notices a
 * connection that died in silence.
 */
export const openHintStream: OpenStream = (topics, listener) => {
  const sessions = topics.filter((topic) => topic.startsWith('ses_'));
  const url = sessions.length === 0 ? '/api/live' : `/api/live?sessions=${sessions.join(',')}`;
  const controller = new AbortController();
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = () => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort(), SILENCE_MS);
  };
  const close = () => {
    isClosed = true;
    clearTimeout(timer);
    controller.abort();
  };
  const read = async () => {
    watch();
    const response = await fetch(url, {
      headers: { accept: 'text/event-stream' },
      cache: 'no-store',
      redirect: 'error',
      signal: controller.signal,
    });
    if (!response.ok || !response.body) return;
    const parser = createParser({
      onEvent: ({ event = 'message', data }) => {
        if (!isClosed) listener.onMessage(event, JSON.parse(data));
      },
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done || isClosed) return;
      watch();
      parser.feed(value);
    }
  };
  const end = () => {
    if (isClosed) return;
    close();
    listener.onClosed();
  };
  read().then(end, end);
  return close;
};
