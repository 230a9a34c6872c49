import { whenClosing } from '@/lib/platform/closing';
import { liveHub } from '@/lib/platform/live/hub';
import { logger } from '@/lib/platform/logger';
import { ringRunnerQueue, takeDoorbell } from '@/lib/platform/queue/enqueue';
import { HOLD_SECONDS } from '@/lib/protocol/schema';

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as { tierwatchDoor?: Lines };

/** Where the runners wait that reach nothing but the web address. */
export function runnersDoor(): Lines {
  held.tierwatchDoor ??= createLines({
    take: takeDoorbell,
    putBack: ringRunnerQueue,
    listen: (queue, heard) => liveHub().subscribe(`q:${queue}`, heard),
    onError: (error) => logger.warn({ error: String(error) }, 'a queue of runners does not answer'),
  });
  return held.tierwatchDoor;
}

/**
 * The runners that wait at this web process, in one line per queue. However many wait, a queue is
 * looked into by one of them at a time, and what is found goes to whoever waits longest.
 */

interface LinesOptions {
  /** The next attempt of a queue, off the queue; null when none is there. */
  take(queue: string): Promise<string | null>;
  /** Rings again for what was taken and has nobody to go to. */
  putBack(queue: string, attemptId: string): Promise<void>;
  /** Calls back whenever something may have come into the queue; returns what ends that. */
  listen(queue: string, heard: () => void): () => void;
  onError(error: unknown): void;
}

export interface Lines {
  /** The next attempt of any of the queues; null once the signal is aborted. */
  next(queues: readonly string[], signal: AbortSignal): Promise<string | null>;
}

type Waiter = (attemptId: string | null) => void;

interface Line {
  waiting: Set<Waiter>;
  endListening: () => void;
  isLooking: boolean;
  /** Something was heard since the last look began. */
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
    // Heard first, then looked: nothing slips between.
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
      // Who waits stays in the line: the sweep rings every few seconds, and a poll ends by itself.
      options.onError(error);
    }
    line.isLooking = false;
  }

  async function handOut(queue: string, line: Line): Promise<void> {
    while (line.waiting.size > 0) {
      const attemptId = await options.take(queue);
      if (attemptId === null) return;
      // The line may have emptied meanwhile, and another have formed under the same name.
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
  /** Aborted when the time is over, the client has gone, or this process ends. */
  signal: AbortSignal;
  release(): void;
}

/** A request of a runner that is held open; `gone` is the request's own signal. */
export function openHold(gone: AbortSignal, seconds = HOLD_SECONDS): Hold {
  const over = new AbortController();
  const end = () => over.abort();
  const timer = setTimeout(end, seconds * 1_000);
  const stopListening = whenClosing(end);
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
