import type { Limits } from '@/lib/protocol/spec';

/** What the watch looks at: signs of life, and calls that are silent by nature. */
export interface Watched {
  /** Milliseconds since the epoch; any line counts, also one that makes no event. */
  readonly lastLineAt: number;
  readonly hasOpenCall: boolean;
  /** A question of the agent waits for a person. */
  readonly isAsking: boolean;
}

/**
 * Ends an attempt that runs too long, or that says nothing while no tool call and no question is
 * open: a long call is silent, and so is who waits; both are bounded by the wall time.
 */
export function startWatch(
  limits: Pick<Limits, 'timeoutSeconds' | 'stallSeconds'>,
  watched: Watched,
  onExpired: (cause: 'timed_out' | 'stalled') => void,
): { close(): void } {
  const stallMs = limits.stallSeconds * 1_000;
  let quietFrom = Date.now();
  let stallTimer = setTimeout(checkStall, stallMs);
  const wallTimer = setTimeout(() => expire('timed_out'), limits.timeoutSeconds * 1_000);

  function checkStall(): void {
    // Checked when it is due, instead of resetting a timer at each of many lines.
    const isSilentByNature = watched.hasOpenCall || watched.isAsking;
    quietFrom = isSilentByNature ? Date.now() : Math.max(quietFrom, watched.lastLineAt);
    const leftMs = quietFrom + stallMs - Date.now();
    if (leftMs <= 0) expire('stalled');
    else stallTimer = setTimeout(checkStall, leftMs);
  }

  function expire(cause: 'timed_out' | 'stalled'): void {
    close();
    onExpired(cause);
  }

  function close(): void {
    clearTimeout(stallTimer);
    clearTimeout(wallTimer);
  }

  return { close };
}
