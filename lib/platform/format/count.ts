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

/** `1 turn`, `1,204 turns`; a plural that is no `s` is given: `2 people`. */
export function formatCounted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `v14`; missing `—`. */
export function formatVersion(version: number | null): string {
  return version === null ? '—' : `v${version}`;
}
