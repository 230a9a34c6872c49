import type { AttemptEnd } from '@/lib/agents/attempt-end';
import type { ResumeDecision } from './schema';
import type { EventLog, ToolCallFact } from './tool-calls';

/** What decides whether work continues after it went silent, for tiers and turns alike. */
export interface SilenceFacts {
  /** The attempt's conversation can be continued, according to its end. */
  hasConversation: boolean;
  /** The attempt's last call was interrupted, whatever its result. */
  isCallInterrupted: boolean;
  /** Every call of this attempt that reached the control plane. */
  toolCalls: readonly ToolCallFact[];
  eventLog: EventLog;
  /** This session was continued after it went silent, by this attempt or an earlier one. */
  hasContinued: boolean;
  /** An earlier attempt of this session went silent, whether it was continued or not. */
  wasSilentBefore: boolean;
}

/**
 * Returns what a silence leads to.
 *
 * - `continue`: the attempt's own conversation continues, once. It knows what was done, so nothing
 *   is done twice.
 * - `spent`: it has continued once already.
 * - null: the end isn't a silence, or it can't be continued, so it is treated like every other failure.
 */
export function afterSilence(end: AttemptEnd, facts: SilenceFacts): 'continue' | 'spent' | null {
  if (end !== 'stalled') return null;
  if (facts.hasContinued) return 'spent';
  if (facts.wasSilentBefore || !facts.hasConversation || facts.isCallInterrupted) return null;
  // A call that has not ended may still act, or may have acted unseen.
  const hasEveryResult =
    facts.eventLog === 'complete' && facts.toolCalls.every((call) => call.result !== null);
  return hasEveryResult ? 'continue' : null;
}

/** Returns whether a continuation is refused that was not made before, so that a retry may follow. */
export function isContinuationRefused(
  { purpose }: { purpose: string },
  { mode, reason }: Pick<ResumeDecision, 'mode' | 'reason'>,
): boolean {
  return purpose === 'continue' && mode === 'refuse' && reason !== 'CONTINUE_SPENT';
}
