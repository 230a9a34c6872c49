const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `840ms` `4.2s` `47s` `3m 12s` `2h 05m` `3d 4h`; unknown `—`. Cut, never rounded up. */
export function formatDuration(milliseconds: number | null): string {
  if (milliseconds === null || !Number.isFinite(milliseconds)) return '—';
  const ms = Math.max(0, Math.floor(milliseconds));
  if (ms < SECOND) return `${ms}ms`;
  if (ms < 10 * SECOND) return `${(Math.floor(ms / 100) / 10).toFixed(1)}s`;
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)}s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}m ${two((ms % MINUTE) / SECOND)}s`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)}h ${two((ms % HOUR) / MINUTE)}m`;
  return `${Math.floor(ms / DAY)}d ${Math.floor((ms % DAY) / HOUR)}h`;
}

/** A span that is set and not measured, without its empty end: `4h`, `90s` is `1m 30s`, `3m`. */
export function formatSpan(seconds: number): string {
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor((seconds % 86_400) / 3_600), 'h'],
    [Math.floor((seconds % 3_600) / 60), 'm'],
    [Math.floor(seconds % 60), 's'],
  ];
  const shown = parts.filter(([amount]) => amount > 0).map(([amount, unit]) => `${amount}${unit}`);
  return shown.length > 0 ? shown.join(' ') : '0s';
}

const DAYS_FROM_SECONDS = 48 * 3_600;

/** As a sentence says it, rounded: `30 s`, `3 min`, `47 h`, `3 days`. */
export function roughSpan(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds >= DAYS_FROM_SECONDS) return `${Math.floor(seconds / 86_400)} days`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

function two(value: number): string {
  return String(Math.floor(value)).padStart(2, '0');
}

const SECONDS = { d: 86_400, h: 3_600, m: 60, s: 1 } as const;

/** Seconds of `10m`, `1h 30m`, `45s`, `2 h`; null for anything else. What `formatSpan` writes, and looser. */
export function parseSpan(text: string): number | null {
  const compact = text
    .trim()
    .toLowerCase()
    .replace(/\s*(days?|hours?|minutes?|mins?|seconds?|secs?)\b/g, (word) => word.trim().charAt(0));
  if (!/^(\d+\s*[dhms]\s*)+$/.test(compact)) return null;
  const parts = [...compact.matchAll(/(\d+)\s*([dhms])/g)];
  return parts.reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * SECONDS[unit as keyof typeof SECONDS],
    0,
  );
}
