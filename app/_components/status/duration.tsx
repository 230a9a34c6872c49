'use client';

import { formatDuration } from '@/lib/platform/format/duration';
import { useClockText } from './clock';

interface DurationProps {
  /** ISO 8601. */
  from: string;
  /** Null while it runs; then it ticks each second. */
  to: string | null;
  className?: string;
}

/** Shows how long something took, or has taken so far. */
export function Duration({ from, to, className }: DurationProps) {
  const start = Date.parse(from);
  const text = useClockText(
    (nowMs) => formatDuration(to === null ? wholeSeconds(nowMs - start) : Date.parse(to) - start),
    to === null,
  );
  return (
    <span className={className} style={{ fontVariantNumeric: 'tabular-nums' }}>
      {text}
    </span>
  );
}

// Below ten seconds tenths are shown, and those would jump on a clock that ticks in seconds.
function wholeSeconds(ms: number): number {
  return Math.max(0, Math.floor(ms / 1000) * 1000);
}
