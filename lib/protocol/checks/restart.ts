import type { CheckFacts } from './kinds';

/**
 * Returns how a running target was restarted since an earlier execution of the same check, as one
 * sentence; null if it wasn't, or that isn't known. A crash loop often shows as running at each look.
 *
 * @param before facts of the earlier execution
 */
export function restartSince(
  before: CheckFacts | null | undefined,
  { restarts, instance, startedAt }: CheckFacts,
): string | null {
  if (!before) return null;
  if (restarts !== undefined && before.restarts !== undefined && restarts > before.restarts) {
    const count = restarts - before.restarts;
    return `Restarted automatically since the last check (${count === 1 ? 'once' : `${count} times`}).`;
  }
  if (!instance || !before.instance || instance === before.instance) return null;
  return startedAt
    ? `Restarted since the last check, at ${startedAt}.`
    : 'Restarted since the last check.';
}
