import { keyOf, type OpenProblem, type Verdict } from './problems';

/** A problem that comes back within this time has never been over, in milliseconds. */
export const CLEAR_MS = 60_000;

export interface Changes {
  opened: Verdict[];
  /** Open ones that are still there. */
  seen: { id: string; figures: Verdict['figures'] }[];
  /** Open ones that have just gone away: they end if they stay away. */
  clearing: string[];
  ended: { id: string; until: Date }[];
}

/**
 * Returns what the verdicts change: each problem is opened once and ends once. An open problem without a
 * verdict is about something that no longer exists, so it is over.
 */
export function planChanges(
  open: readonly OpenProblem[],
  verdicts: readonly Verdict[],
  now: Date,
): Changes {
  const known = new Map(open.map((problem) => [keyOf(problem), problem]));
  const byKey = new Map(verdicts.map((verdict) => [keyOf(verdict), verdict]));
  const changes: Changes = { opened: [], seen: [], clearing: [], ended: [] };
  for (const [key, verdict] of byKey) {
    if (verdict.state === 'present' && !known.has(key)) changes.opened.push(verdict);
  }
  for (const [key, { id, clearSince }] of known) {
    const { state, figures } = byKey.get(key) ?? { state: 'absent' as const, figures: {} };
    if (state === 'present') changes.seen.push({ id, figures });
    if (state !== 'absent') continue;
    if (clearSince === null) changes.clearing.push(id);
    else if (now.getTime() - clearSince.getTime() >= CLEAR_MS) {
      changes.ended.push({ id, until: clearSince });
    }
  }
  return changes;
}
