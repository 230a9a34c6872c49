import { z } from 'zod';
import { passedOf } from '@/lib/engine/continuation/decide';
import { RUNNER_CHECKS } from '@/lib/engine/continuation/guards/matrix';
import type { RunnerChecksRow } from './data';
import { type GuardDto, guardSchema } from './schema';

/** As stored; versions before November 2026 stored `passed` alone. */
const storedSchema = guardSchema.extend({
  state: guardSchema.shape.state.optional(),
  unknown: guardSchema.shape.unknown.optional(),
});

/** Guards that those versions showed as passed although they had no fact to compare. */
const WITHOUT_FACTS = ['G17', 'G21', 'G22'];
const NEVER_CHECKED = 'The version of Tierwatch that made this decision had no fact for it.';

/**
 * The guards of a stored decision in evaluation order, completed by what the runner compared right
 * before it started the process.
 *
 * @param stored the decision's `guards`; anything else gives none
 * @param attempt the attempt that the decision was for
 */
export function toGuards(stored: unknown, attempt: RunnerChecksRow | null): GuardDto[] {
  const { data } = z.array(storedSchema).safeParse(stored);
  const verified = z.array(z.string()).safeParse(attempt?.verified).data ?? [];
  return (data ?? []).map((guard) => {
    const unknown = guard.unknown ?? {};
    if (guard.state === undefined) return fromEarlierVersion(guard);
    const check = RUNNER_CHECKS.find(({ id }) => id === guard.id);
    const isChecked = check && guard.state === 'not_checked';
    if (isChecked && attempt?.end === check.end) return answered(guard, 'stopped');
    if (isChecked && verified.includes(check.fact)) return answered(guard, 'passed');
    return { ...guard, state: guard.state, unknown };
  });
}

type Stored = z.infer<typeof storedSchema>;

function answered({ id, name, compared }: Stored, state: GuardDto['state']): GuardDto {
  return { id, name, compared, state, passed: passedOf(state), unknown: {} };
}

function fromEarlierVersion(guard: Stored): GuardDto {
  if (guard.passed === null) return answered(guard, 'not_reached');
  if (!guard.passed) return answered(guard, 'stopped');
  if (!WITHOUT_FACTS.includes(guard.id)) return answered(guard, 'passed');
  const unknown = Object.fromEntries(
    Object.keys(guard.compared).map((fact) => [fact, NEVER_CHECKED]),
  );
  return { ...answered(guard, 'not_checked'), unknown };
}
