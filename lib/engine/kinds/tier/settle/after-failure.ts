import { type ClassifiedEnd, type EndText, joinSentences } from '@/lib/agents/attempt-end';
import type { AfterFailure } from '@/lib/engine/continuation/retry';
import { roughSpan } from '@/lib/platform/format/duration';
import type { SettlementFacts } from './facts';
import type { NextStep, SettlementStep } from './plan';

/** Decides what follows an attempt that did not complete. */
export function afterFailure(
  facts: SettlementFacts,
  classified: ClassifiedEnd,
  after: AfterFailure,
): SettlementStep {
  const base = { handoff: null };
  const statusText = failureSentence(classified, after);
  if (after.kind === 'end') {
    const brokenRule = ruleThatStopped(facts, classified);
    const code = codeOf(classified, after);
    return {
      ...base,
      decision: {
        kind: 'after_end',
        verdict: after.kind,
        reason: after.reason,
        sentence: statusText,
      },
      session: { status: after.sessionStatus, statusText, isEnded: true },
      next: { kind: 'none' },
      chainEnd: {
        outcome: brokenRule ? 'needs_human' : after.chainOutcome,
        reason: brokenRule ?? code,
        statusText,
        summary: '',
        servicesAffected: after.needsHuman ? startedFor(facts) : [],
      },
      notices: [
        {
          level:
            after.chainOutcome === 'stopped' && !brokenRule && !after.needsHuman
              ? 'info'
              : 'critical',
          code: brokenRule ?? code,
          message: statusText,
        },
      ],
    };
  }
  const next = nextAttempt(after, facts.attempt.onlyMode);
  return {
    ...base,
    decision: {
      kind: 'after_end',
      verdict: after.kind,
      reason: after.reason,
      sentence: statusText,
    },
    session: {
      status: after.kind === 'approval' ? 'waiting' : 'queued',
      statusText,
      isEnded: false,
    },
    next,
    chainEnd: null,
    notices: [
      {
        level: after.kind === 'approval' ? 'info' : 'warning',
        code: codeOf(classified, after),
        message: statusText,
      },
    ],
  };
}

/** Returns the code of the notice and of the chain's end. */
function codeOf({ end }: ClassifiedEnd, { reason }: AfterFailure): string {
  return reason === 'CONTINUE_SPENT' ? reason : end.toUpperCase();
}

/** Returns the services that this tier was started for. */
export function startedFor(facts: SettlementFacts): readonly string[] {
  return facts.previousHandoff?.services_affected ?? [];
}

function nextAttempt(
  after: Exclude<AfterFailure, { kind: 'end' }>,
  onlyMode: 'handoff' | null,
): NextStep {
  switch (after.kind) {
    case 'fallback':
      return { kind: 'attempt', purpose: 'tier', onlyMode: 'handoff', afterSeconds: 0 };
    case 'retry':
      // A session that has fallen back keeps using the handoff.
      return { kind: 'attempt', purpose: 'tier', onlyMode, afterSeconds: after.afterSeconds };
    case 'continue':
      return { kind: 'attempt', purpose: 'continue', onlyMode: null, afterSeconds: 0 };
    case 'approval':
      return { kind: 'attempt', purpose: 'approval', onlyMode: null, afterSeconds: 0 };
    case 'reconcile':
      return { kind: 'attempt', purpose: 'reconcile', onlyMode: 'handoff', afterSeconds: 0 };
  }
}

/** Returns the rule that stopped the attempt; null for other ends. A person has to look at it. */
function ruleThatStopped(facts: SettlementFacts, { end }: ClassifiedEnd): string | null {
  const { stopCause } = facts.result;
  const isRule = stopCause === 'cooldown' || stopCause === 'budget' || stopCause === 'policy';
  return end === 'stopped' && isRule ? stopCause.toUpperCase() : null;
}

/** Returns the text about a tier that did not complete: what happened, what follows, what to do. */
export function failureSentence({ happened, advice }: EndText, after: AfterFailure): string {
  switch (after.kind) {
    case 'end':
      return joinSentences(happened, after.sentence, advice);
    case 'fallback':
      return joinSentences(happened, 'The next attempt starts from the handoff.', advice);
    case 'retry':
      return after.afterSeconds > 0
        ? joinSentences(happened, `The next retry is in ${roughSpan(after.afterSeconds)}.`, advice)
        : joinSentences(happened, 'It is retried once.');
    case 'continue':
      return joinSentences(
        happened,
        'All its calls had ended, so it is continued once in its own conversation.',
      );
    case 'approval':
      return joinSentences(happened, 'The conversation continues after the decision.', advice);
    case 'reconcile':
      if (after.reason === 'CONTINUE_SPENT') {
        return joinSentences(
          happened,
          'It was continued once before. It may have changed something: an observe-only check runs first.',
        );
      }
      return joinSentences(
        happened,
        'It may have changed something: an observe-only check runs first.',
      );
  }
}
