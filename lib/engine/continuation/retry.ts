import type { AttemptEnd } from '@/lib/agents/attempt-end';
import { roughSpan } from '@/lib/platform/format/duration';
import type { Tier } from '@/lib/protocol/spec';
import { FALLBACK_REASONS, type FallbackReason, isFallbackEnd } from './reasons';
import type { ResumeMode } from './schema';
import { afterSilence, type SilenceFacts } from './silence';
import { mayHaveActed } from './tool-calls';

export interface AfterEndFacts extends SilenceFacts {
  end: AttemptEnd;
  /** Whether a retry is worthwhile, from the classification; `once` for a lost attempt. */
  retry: { kind: 'none' } | { kind: 'once' } | { kind: 'after'; seconds: number };
  tier: Tier;
  purpose: 'tier' | 'reconcile';
  /** How this attempt started. */
  startMode: Exclude<ResumeMode, 'wait' | 'refuse'>;
  /** An earlier attempt of this session may have changed something: see `mayHaveActed`. */
  hasEarlierChange: boolean;
  hasFallenBack: boolean;
  /** Number of retries of this session so far, without fallbacks. */
  retriesUsed: number;
  hasReconciled: boolean;
  /** False if reconciling is turned off. */
  canReconcile: boolean;
  /** The end that a reconcile was started for; null for other purposes. */
  reconciledEnd: AttemptEnd | null;
}

export type AfterEnd =
  /** The attempt completed: decide on escalation. */
  | { kind: 'settle' }
  /** Start again in the same session, without the predecessor's conversation. */
  | { kind: 'fallback'; reason: FallbackReason }
  | { kind: 'retry'; reason: 'RETRY_ONCE'; afterSeconds: number }
  /** The session's own conversation continues in another process. */
  | { kind: 'continue'; reason: 'CONTINUE_ONCE' }
  /** The session's own conversation continues once people have decided about its commands. */
  | { kind: 'approval'; reason: 'WAITS_FOR_APPROVAL' }
  /** An observe-only attempt in the same session. */
  | { kind: 'reconcile'; reason: 'MAY_HAVE_CHANGED' | 'CONTINUE_SPENT' }
  /**
   * The session takes the end of the attempt that was examined; the chain ends by what was found.
   */
  | { kind: 'reconciled'; sessionStatus: FailedStatus }
  | {
      kind: 'end';
      reason: EndReason;
      sessionStatus: FailedStatus;
      chainOutcome: 'failed' | 'lost' | 'stopped';
      /** A person has to look at the current state. */
      needsHuman: boolean;
      sentence: string;
    };

/** What can follow an attempt that did not complete. */
export type AfterFailure = Exclude<AfterEnd, { kind: 'settle' } | { kind: 'reconciled' }>;

type FailedStatus = 'failed' | 'lost' | 'timed_out' | 'stopped';

type EndReason = 'STOPPED' | 'CONTINUE_SPENT' | 'MAY_HAVE_CHANGED' | 'RETRIES_SPENT' | 'NO_RETRY';

/** Ends after which a reconcile would fail for the same reason as the work. */
const ENDS_WITHOUT_RECONCILE: readonly AttemptEnd[] = [
  'auth',
  'rate_limited',
  'max_budget',
  'start_failed',
  'bad_request',
  'refused_by_model',
  'disk_full',
];

/** Longer waits are left to the schedule, in seconds. */
export const MAX_WAIT_SECONDS = 900;

/**
 * Decides what follows the end of an attempt.
 *
 * 1. Completed: settle. Stopped by a person: end. Ended by a wait for approval: its own conversation
 *    continues, which repeats nothing.
 * 2. A reconcile has ended: the chain ends by what it found.
 * 3. A silent attempt whose calls have all ended: its own conversation continues, once. A second
 *   silence ends it.
 * 4. Tiers 2 and 3 that may have changed something are never repeated: reconcile, or end. A lost
 *   attempt counts as one that may have, whatever it reported before contact broke off.
 * 5. A conversation that could not be continued: once, from the handoff.
 * 6. A fault that can pass: once more. Everything else ends the session.
 */
export function decideAfterEnd(facts: AfterEndFacts): AfterEnd {
  const { end } = facts;
  if (facts.purpose === 'reconcile') return afterReconcile(facts);
  if (end === 'completed') return { kind: 'settle' };
  if (end === 'stopped') return ended(facts, 'STOPPED');
  if (end === 'waiting_for_approval') return { kind: 'approval', reason: 'WAITS_FOR_APPROVAL' };
  const silence = afterSilence(end, facts);
  if (silence === 'spent') return notRepeated(facts, 'CONTINUE_SPENT');
  if (silence === 'continue') return { kind: 'continue', reason: 'CONTINUE_ONCE' };
  if (mustNotRepeat(facts)) return notRepeated(facts, 'MAY_HAVE_CHANGED');
  const fallback = fallbackReason(facts);
  if (fallback) return { kind: 'fallback', reason: fallback };
  if (facts.retry.kind === 'none' || isFallbackEnd(end)) return ended(facts, 'NO_RETRY');
  if (facts.retriesUsed > 0) return ended(facts, 'RETRIES_SPENT');
  const afterSeconds = facts.retry.kind === 'after' ? facts.retry.seconds : 0;
  if (afterSeconds > MAX_WAIT_SECONDS) return ended(facts, 'NO_RETRY');
  return { kind: 'retry', reason: 'RETRY_ONCE', afterSeconds };
}

/** Where something may have changed, an observe-only check runs first. */
function notRepeated(
  facts: AfterEndFacts,
  reason: 'MAY_HAVE_CHANGED' | 'CONTINUE_SPENT',
): AfterEnd {
  const looks =
    mustNotRepeat(facts) &&
    facts.canReconcile &&
    !facts.hasReconciled &&
    !ENDS_WITHOUT_RECONCILE.includes(facts.end);
  return looks ? { kind: 'reconcile', reason } : ended(facts, reason);
}

function mustNotRepeat(facts: AfterEndFacts): boolean {
  if (facts.tier === 1) return false;
  return facts.hasEarlierChange || mayHaveActed(facts);
}

function fallbackReason(facts: AfterEndFacts) {
  const { end, startMode, hasFallenBack } = facts;
  if (startMode !== 'resume' || hasFallenBack || mayHaveActed(facts)) return null;
  return isFallbackEnd(end) ? FALLBACK_REASONS[end] : null;
}

// Whatever the reconcile found, the work itself did not finish.
function afterReconcile(facts: AfterEndFacts): AfterEnd {
  if (facts.end === 'stopped') return ended(facts, 'STOPPED');
  return {
    kind: 'reconciled',
    sessionStatus: statusOf(facts.reconciledEnd ?? 'lost').sessionStatus,
  };
}

function ended(facts: AfterEndFacts, reason: EndReason): AfterEnd {
  const needsHuman = mustNotRepeat(facts);
  return {
    kind: 'end',
    reason,
    ...statusOf(facts.end),
    needsHuman,
    sentence: sentenceOf(reason, needsHuman, facts.retry),
  };
}

function statusOf(end: AttemptEnd) {
  switch (end) {
    case 'stopped':
      return { sessionStatus: 'stopped', chainOutcome: 'stopped' } as const;
    case 'lost':
      return { sessionStatus: 'lost', chainOutcome: 'lost' } as const;
    case 'timed_out':
      return { sessionStatus: 'timed_out', chainOutcome: 'failed' } as const;
    default:
      return { sessionStatus: 'failed', chainOutcome: 'failed' } as const;
  }
}

function sentenceOf(reason: EndReason, needsHuman: boolean, retry: AfterEndFacts['retry']): string {
  switch (reason) {
    case 'STOPPED':
      return needsHuman
        ? 'It may have changed something. Check the current state before you start a chain.'
        : 'It won’t be retried automatically.';
    case 'CONTINUE_SPENT':
      return needsHuman
        ? 'It stalled again after it was continued once. It may have changed something: check the current state, then start a chain.'
        : 'It stalled again after it was continued once. The next chain starts as usual.';
    case 'MAY_HAVE_CHANGED':
      return "It may have changed something, so it isn't repeated. Check the current state, then start a chain.";
    case 'RETRIES_SPENT':
      return 'It was tried twice. The next chain starts as usual.';
    case 'NO_RETRY':
      return retry.kind === 'after'
        ? `A retry makes sense in ${roughSpan(retry.seconds)} at the earliest. The next chain starts as usual.`
        : 'Retrying now would not help. The next chain starts as usual.';
  }
}
