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
