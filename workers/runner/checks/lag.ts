/** Whether this process was kept from running: what it measured meanwhile says nothing about a service. */

export interface LagWatch {
  /** Whether timers were late at any time since then, by performance.now(). */
  wasLateSince(startedAt: number): boolean;
  stop(): void;
}

const EVERY_MS = 250;
/** Later than that, connections time out for reasons of our own. */
const LATE_MS = 1_000;

export function watchLag(): LagWatch {
  let dueAt = performance.now() + EVERY_MS;
  let lateAt = Number.NEGATIVE_INFINITY;
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - dueAt > LATE_MS) lateAt = now;
    dueAt = now + EVERY_MS;
  }, EVERY_MS);
  timer.unref();
  return {
    wasLateSince: (startedAt) => lateAt >= startedAt || performance.now() - dueAt > LATE_MS,
    stop: () => clearInterval(timer),
  };
}
