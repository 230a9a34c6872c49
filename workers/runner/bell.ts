/** Wakes those who wait for something to change. They look again before they wait: nothing is lost. */
interface Bell {
  ring(): void;
  /** Resolves at the next ring, or after `timeoutMs` where given. */
  rung(timeoutMs?: number): Promise<void>;
}

export function createBell(): Bell {
  const waiting = new Set<() => void>();
  return {
    ring() {
      for (const wake of waiting) wake();
    },
    rung(timeoutMs) {
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
