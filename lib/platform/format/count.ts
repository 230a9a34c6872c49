/** `1,204`; missing `—`. */
export function formatCount(count: number | null): string {
  return count === null ? '—' : Math.trunc(count).toLocaleString('en');
}

/** From here on a list says only that there are more. */
export const LIST_COUNT_LIMIT = 10_000;

/** `1,204`, above the limit `10,000+`. */
export function formatListCount(count: number | null): string {
  if (count !== null && count > LIST_COUNT_LIMIT) return `${formatCount(LIST_COUNT_LIMIT)}+`;
  return formatCount(count);
}

/** Returns `1 turn`, `1,204 turns`; pass irregular plurals, such as `2 people`. */
export function formatCounted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `842` `12.4k` `1.03M`; unknown `—`. */
export function formatTokens(tokens: number | null): string {
  if (tokens === null) return '—';
  const exact = Math.round(tokens);
  if (exact < 1_000) return String(exact);
  // 999,950 would be shown as 1000.0k.
  if (exact < 999_950) return `${trimmed(exact / 1_000, 1)}k`;
  return `${trimmed(exact / 1_000_000, 2)}M`;
}

/** All digits, for the tip: `12,418`. */
export function formatTokensExact(tokens: number | null): string {
  return tokens === null ? '—' : Math.round(tokens).toLocaleString('en');
}

/** `34% of 200k`. */
export function formatContextUse(usedTokens: number | null, windowTokens: number): string {
  if (usedTokens === null) return '—';
  return `${formatShare(usedTokens, windowTokens)} of ${formatTokens(windowTokens)}`;
}

/** `7%`, `0.4%`; `0%` only for zero, `<0.1%` just above it; a rate over nothing `—`. */
export function formatShare(part: number | null, whole: number): string {
  if (part === null || whole === 0) return '—';
  const percent = (part / whole) * 100;
  if (percent === 0) return '0%';
  if (percent < 0.1) return '<0.1%';
  if (percent < 0.95) return `${percent.toFixed(1)}%`;
  return `${Math.round(percent)}%`;
}

/** Without zeros that say nothing: `200k`, not `200.0k`. */
function trimmed(value: number, places: number): string {
  return String(Number(value.toFixed(places)));
}
