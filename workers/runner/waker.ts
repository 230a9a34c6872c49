/** Wakes those who wait for something to change. They look again before they wait: nothing is lost. */
interface Waker {
  wake(): void;
  /** Resolves at the next wake-up, or after `timeoutMs` where given. */
  woken(timeoutMs?: number): Promise<void>;
}

export function createWaker(): Waker {
  const waiting = new Set<() => void>();
  return {
    wake() {
      for (const wake of waiting) wake();
    },
    woken(timeoutMs) {
      return new Promise((resolve) => {
        const timer = timeoutMs === undefined ? undefined : setTimeout(wake, timeoutMs);
        function wake(): void {
          clearTimeout(timer);
          waiting.delete(wake);
          resolve();
        }
        waiting.add(wake);
      });
    },
  };
}
