/** Guards against doing something twice. They come before anything that could start a process. */
import type { ResumeRequest } from '../schema';
import { carry, firstOf, type Guard } from './guard';

const openCalls: Guard = {
  id: 'G5',
  name: 'Every earlier call is known to have ended, with a known effect',
  check: ({ request }) => {
    const earlier = mayRepeat(request) ? request.earlierAttempt : null;
    // The continued conversation contains its calls with their results.
    const isContinued = request.purpose === 'continue';
    const outstandingCalls =
      (isContinued ? request.earlierAttempt : earlier)?.outstandingCalls ?? 0;
    const unknownCalls = earlier?.unknownCalls ?? 0;
    return firstOf(
      { purpose: request.purpose, outstandingCalls, unknownCalls },
      [
        [request.purpose === 'reconcile', { to: 'reconcile', reason: 'RECONCILE_REQUESTED' }],
        [outstandingCalls > 0, { to: 'reconcile', reason: 'OUTSTANDING_TOOL' }],
        [unknownCalls > 0, { to: 'reconcile', reason: 'EFFECT_UNKNOWN' }],
      ],
      callsUnknown(request, ['outstandingCalls', 'unknownCalls']),
    );
  },
};

const changes: Guard = {
  id: 'G6',
  name: 'The previous attempt changed nothing',
  check: ({ request }) => {
    const earlier = mayRepeat(request) ? request.earlierAttempt : null;
    const changingCalls = earlier?.changingCalls ?? 0;
    return firstOf(
      { changingCalls },
      [[changingCalls > 0, { to: 'reconcile', reason: 'EFFECTS_APPLIED' }]],
      callsUnknown(request, ['changingCalls']),
    );
  },
};

const forced: Guard = {
  id: 'G7',
  name: 'No fresh start was requested',
  check: ({ request }) =>
    firstOf({ forceFresh: request.forceFresh }, [[request.forceFresh, carry('FORCE_FRESH')]]),
};

/**
 * Returns the facts about calls that are unknown for a repeatable start, with the reason: a retry
 * exists only if the end of the previous attempt was harmless.
 */
function callsUnknown(request: ResumeRequest, facts: readonly string[]): Record<string, string> {
  if (!mayRepeat(request) || request.earlierAttempt !== null) return {};
  const why = 'Decided when that attempt ended: it is repeated only if it changed nothing.';
  return Object.fromEntries(facts.map((fact) => [fact, why]));
}

/**
 * Returns whether the start may repeat work. Tier 1 only observes, so a repetition has no effect.
 */
function mayRepeat({ purpose, tier }: ResumeRequest): boolean {
  return tier > 1 && (purpose === 'retry' || purpose === 'manual');
}

export const EFFECT_GUARDS: readonly Guard[] = [openCalls, changes];
export const REQUEST_GUARDS: readonly Guard[] = [forced];
