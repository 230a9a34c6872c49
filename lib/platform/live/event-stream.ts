import { env } from '../env';
import { LimitExceededError } from '../errors';
import type { Topic } from './hint';
import { liveHub } from './hub';

const KEEP_ALIVE_MS = 15_000;
export const AUTHORIZE_MS = 30_000;
/** After a quiet period a hint is sent immediately, later ones at most this often. */
const MERGE_MS = 75;

interface StreamOptions {
  topics: readonly Topic[];
  owner: StreamOwner;
  signal: AbortSignal;
  /**
   * Asked when the access of the owner's subject has changed, and every 30 s in case a hint was lost;
   * false ends the stream. Runs outside the request: it can't read its cookies or headers.
   */
  isStillAllowed: () => Promise<boolean>;
  /**
   * Called once at the start and after every hint; writes what is new. `changed`: the topics of the
   * hints since the last call, which may be more than those subscribed to; null at the start.
   */
  onHint: (
    send: (event: { id?: string; event?: string; data: unknown }) => void,
    changed: ReadonlySet<Topic> | null,
  ) => Promise<void>;
}

/**
 * Returns a server-sent event stream that reads its own rows after every hint, so that a lost hint
 * loses nothing. Subscribed before the first read.
 *
 * @throws LimitExceededError if the owner has too many streams open
 */
export function eventStream(options: StreamOptions): Response {
  const { topics, owner, signal, isStillAllowed, onHint } = options;
  const release = countStream(owner);
  const encoder = new TextEncoder();
  let close = () => {};
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      let isClosed = false;
      let isReading = false;
      let isDue = true;
      let changed: Set<Topic> | null = null;
      let timer: NodeJS.Timeout | undefined;
      let sentAt = 0;
      const write = (text: string) => {
        if (!isClosed) controller.enqueue(encoder.encode(text));
      };
      const send = ({ id, event, data }: { id?: string; event?: string; data: unknown }) =>
        write(
          `${id ? `id: ${id}\n` : ''}${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`,
        );
      const read = async () => {
        if (isReading || isClosed) return;
        isReading = true;
        try {
          while (isDue && !isClosed) {
            isDue = false;
            const news = changed;
            changed = new Set();
            await onHint(send, news);
          }
        } catch {
          close();
        }
        isReading = false;
      };
      const noteHint = (hint: readonly Topic[]) => {
        isDue = true;
        changed ??= new Set();
        for (const topic of hint) changed.add(topic);
        timer ??= setTimeout(
          () => {
            timer = undefined;
            sentAt = Date.now();
            void read();
          },
          Math.max(0, sentAt + MERGE_MS - Date.now()),
        );
      };
      let isCheckDue = false;
      let isChecking = false;
      const checkAccess = async () => {
        isCheckDue = true;
        if (isChecking) return;
        isChecking = true;
        while (isCheckDue && !isClosed) {
          isCheckDue = false;
          if (!(await isStillAllowed().catch(() => false))) close();
        }
        isChecking = false;
      };
      const unsubscribe = topics.map((topic) =>
        liveHub().subscribe(topic, (hint) => noteHint(hint.isResync ? topics : hint.topics)),
      );
      unsubscribe.push(liveHub().subscribe(`a:${owner.subject}`, () => void checkAccess()));
      const keepAlive = setInterval(() => write(': here\n\n'), KEEP_ALIVE_MS);
      const authorize = setInterval(() => void checkAccess(), AUTHORIZE_MS);
      close = () => {
        if (isClosed) return;
        isClosed = true;
        release();
        clearInterval(keepAlive);
        clearInterval(authorize);
        clearTimeout(timer);
        for (const end of unsubscribe) end();
        signal.removeEventListener('abort', close);
        controller.close();
      };
      signal.addEventListener('abort', close);
      if (signal.aborted) {
        close();
        return;
      }
      write('retry: 1000\n\n');
      void read();
      // Access may have changed between the request's own check and the subscription.
      void checkAccess();
    },
    cancel: () => close(),
  });
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      // Without no-transform Next's compression holds the events back.
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    },
  });
}

/** Who a stream is counted for, by UUID: a person or a token, and their organizations. */
interface StreamOwner {
  subject: string;
  organizations: readonly string[];
}

/** How long a refused client should wait. */
const RETRY_SECONDS = 30;

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as { tierwatchStreams?: Map<string, number> };

function counts(): Map<string, number> {
  held.tierwatchStreams ??= new Map();
  return held.tierwatchStreams;
}

/**
 * Counts a stream of this process and returns what ends the count. Throws LimitExceededError when the
 * person or token, or each of their organizations, has as many as the operator allows.
 */
function countStream({ subject, organizations }: StreamOwner): () => void {
  const { maxStreamsPerPerson, maxStreamsPerOrganization } = env();
  if (openStreams(subject) >= maxStreamsPerPerson) {
    throw new LimitExceededError(
      `You have ${maxStreamsPerPerson} live streams open, which is the limit. Close a browser or client that follows Tierwatch, then try again.`,
      RETRY_SECONDS,
    );
  }
  // One busy organization doesn't end the live updates of its members' other organizations.
  const isFull = (id: string) => openStreams(id) >= maxStreamsPerOrganization;
  if (organizations.length > 0 && organizations.every(isFull)) {
    throw new LimitExceededError(
      `Your organization has ${maxStreamsPerOrganization} live streams open, which is the limit. Close clients that follow Tierwatch, then try again.`,
      RETRY_SECONDS,
    );
  }
  const keys = [subject, ...organizations];
  for (const key of keys) add(key, 1);
  let isOpen = true;
  return () => {
    if (isOpen) for (const key of keys) add(key, -1);
    isOpen = false;
  };
}

/** Returns how many streams a person, token or organization has open in this process. */
export function openStreams(id: string): number {
  return counts().get(id) ?? 0;
}

function add(key: string, change: number): void {
  const count = openStreams(key) + change;
  if (count > 0) counts().set(key, count);
  else counts().delete(key);
}
