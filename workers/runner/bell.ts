/** Lets one loop sleep until somebody rings; a ring while it is awake is not lost. */
export interface Bell {
  ring(): void;
  /** Resolves at the next ring, or after `timeoutMs` where given. */
  rung(timeoutMs?: number): Promise<void>;
}

export function createBell(): Bell {
  let hasRung = false;
  let wake: (() => void) | null = null;
  return {
    ring() {
      hasRung = true;
      wake?.();
    },
    async rung(timeoutMs) {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const timer = timeoutMs === undefined ? undefined : setTimeout(resolve, timeoutMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wake = null;
      }
      hasRung = false;
    },
  };
}
