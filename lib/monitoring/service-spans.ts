/** What a service was over time, by the changes of its checks. Pure. */
import { silentSince } from './check-changes';
import { type ResultStatus, serviceStateOf } from './check-state';

export interface CheckPast {
  /** From when on it was in which state, oldest first. Null: it wasn't a check of the service. */
  changes: readonly { at: Date; status: ResultStatus | null }[];
  /** As it is now. Null for one that was removed. */
  current: { spec: unknown; everySeconds: number; lastAt: Date | null } | null;
}

/** Two moments, the second not included. */
export interface ServiceSpan {
  from: Date;
  to: Date;
  status: ResultStatus;
}

/**
 * Returns what a service was between two moments, without a gap, oldest first; neighbors differ. It is what
 * its worst check was, unknown before the first change, and unknown since results are missing.
 */
export function serviceSpans(
  checks: readonly CheckPast[],
  { from, to }: { from: Date; to: Date },
): ServiceSpan[] {
  const states = checks.map((): ResultStatus | null => null);
  const steps = checks
    .flatMap((check, index) =>
      [...check.changes, ...silence(check, to)].map(({ at, status }) => ({ at, status, index })),
    )
    .filter(({ at }) => at < to)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const spans: ServiceSpan[] = [];
  let begin = from;
  for (const { at, status, index } of steps) {
    if (at > begin) {
      add(spans, { from: begin, to: at, status: stateOf(states) });
      begin = at;
    }
    states[index] = status;
  }
  if (begin < to) add(spans, { from: begin, to, status: stateOf(states) });
  return spans;
}

function silence({ changes, current }: CheckPast, to: Date): CheckPast['changes'] {
  const status = changes.at(-1)?.status;
  const at = current && status ? silentSince({ ...current, status }, to) : null;
  return at ? [{ at, status: 'unknown' }] : [];
}

function stateOf(states: readonly (ResultStatus | null)[]): ResultStatus {
  const counted = states.flatMap((status) => (status ? [{ status, failingSince: null }] : []));
  return serviceStateOf(counted).status;
}

function add(spans: ServiceSpan[], span: ServiceSpan): void {
  const last = spans.at(-1);
  if (last?.status === span.status) last.to = span.to;
  else spans.push(span);
}
