import { onShutdown } from '@/lib/platform/closing';
import { liveHub } from '@/lib/platform/live/hub';
import { logger } from '@/lib/platform/logger';
import { enqueueAttempt, takeAttemptJob } from '@/lib/platform/queue/enqueue';
import { HOLD_SECONDS } from '@/lib/protocol/schema';

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as { tierwatchDoor?: Lines };

/** Returns the waiting lines of this process, for runners that reach only the web address. */
export function runnerLongPoll(): Lines {
  held.tierwatchDoor ??= createLines({
    take: takeAttemptJob,
    putBack: enqueueAttempt,
    listen: (queue, notify) => liveHub().subscribe(`q:${queue}`, notify),
    onError: (error) => logger.warn({ error: String(error) }, 'runner queue unavailable'),
  });
  return held.tierwatchDoor;
}

/**
 * The runners that wait at this web process, in one line per queue. However many wait, one of them
 * at a time reads the queue, and a job goes to the one that has waited longest.
 */

interface LinesOptions {
  /** Takes the next attempt off a queue; null if there is none. */
  take(queue: string): Promise<string | null>;
  /** Enqueues an attempt again that was taken and can't be given to anyone. */
  putBack(queue: string, attemptId: string): Promise<void>;
  /** Calls back whenever the queue may have a new job; returns a function that unsubscribes. */
  listen(queue: string, notify: () => void): () => void;
  onError(error: unknown): void;
}

export interface Lines {
  /** Returns the next attempt of any of the queues; null once the signal is aborted. */
  next(queues: readonly string[], signal: AbortSignal): Promise<string | null>;
}

type Waiter = (attemptId: string | null) => void;

interface Line {
  waiting: Set<Waiter>;
  endListening: () => void;
  isLooking: boolean;
  /** A hint arrived since the last read began. */
  isDue: boolean;
}

export function createLines(options: LinesOptions): Lines {
  const lines = new Map<string, Line>();

  function join(queue: string, waiter: Waiter): void {
    const known = lines.get(queue);
    const line = known ?? { waiting: new Set(), endListening() {}, isLooking: false, isDue: false };
    line.waiting.add(waiter);
    if (!known) {
      lines.set(queue, line);
      line.endListening = options.listen(queue, () => void look(queue, line));
    }
    // Subscribes first and reads then, so no hint in between is missed.
    void look(queue, line);
  }

  function leave(queue: string, waiter: Waiter): void {
    const line = lines.get(queue);
    if (!line?.waiting.delete(waiter) || line.waiting.size > 0) return;
    line.endListening();
    lines.delete(queue);
  }

  async function look(queue: string, line: Line): Promise<void> {
    line.isDue = true;
    if (line.isLooking) return;
    line.isLooking = true;
    try {
      while (line.isDue && line.waiting.size > 0) {
        line.isDue = false;
        await handOut(queue, line);
      }
    } catch (error) {
      // The waiting runners stay in line: the sweep enqueues every few seconds, and a held request
      // ends on its own.
      options.onError(error);
    }
    line.isLooking = false;
  }

  async function handOut(queue: string, line: Line): Promise<void> {
    while (line.waiting.size > 0) {
      const attemptId = await options.take(queue);
      if (attemptId === null) return;
      // The line may have emptied in the meantime, and a new one may have formed under the same
      // name.
      const [first] = line.waiting.size > 0 ? line.waiting : (lines.get(queue)?.waiting ?? []);
      if (first) first(attemptId);
      else await options.putBack(queue, attemptId);
    }
  }

  return {
    next(queues, signal) {
      return new Promise((resolve) => {
        const settle: Waiter = (attemptId) => {
          signal.removeEventListener('abort', giveUp);
          for (const queue of queues) leave(queue, settle);
          resolve(attemptId);
        };
        const giveUp = () => settle(null);
        if (signal.aborted) return resolve(null);
        signal.addEventListener('abort', giveUp, { once: true });
        for (const queue of queues) join(queue, settle);
      });
    },
  };
}

export interface Hold {
  /** Aborted when the time is over, the client has disconnected, or this process shuts down. */
  signal: AbortSignal;
  release(): void;
}

/** Opens a held request of a runner. `gone` is the signal of the request itself. */
export function openHold(gone: AbortSignal, seconds = HOLD_SECONDS): Hold {
  const over = new AbortController();
  const end = () => over.abort();
  const timer = setTimeout(end, seconds * 1_000);
  const stopListening = onShutdown(end);
  gone.addEventListener('abort', end, { once: true });
  if (gone.aborted) end();
  return {
    signal: over.signal,
    release() {
      clearTimeout(timer);
      stopListening();
      gone.removeEventListener('abort', end);
    },
  };
}
