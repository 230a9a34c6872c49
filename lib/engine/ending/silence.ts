import type { AttemptEnd, ClassifiedEnd } from '@/lib/agents/attempt-end';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { AttemptResult } from '@/lib/protocol/schema';
import type { SilenceFacts } from '../continuation/silence';
import { eventLogOf } from '../continuation/tool-calls';
import { toolCallsOf } from './tool-calls';

/** An attempt of a session, as far as a later silence depends on it. */
interface EndedAttempt {
  end: AttemptEnd | null;
  isContinuation: boolean;
}

/** Returns the facts about the end of an attempt that decide whether it continues. */
export function silenceFacts(
  { end, pointer }: Pick<ClassifiedEnd, 'end' | 'pointer'>,
  attempt: {
    isContinuation: boolean;
    /** All events of this attempt, oldest first. */
    events: readonly RunnerEvent[];
    /** Null if its lease expired without a result. */
    reported: Pick<AttemptResult, 'startError' | 'exit' | 'lastSeq'> | null;
    /** The session's attempts before this one. */
    earlier: readonly EndedAttempt[];
  },
): SilenceFacts {
  const { events, earlier } = attempt;
  return {
    hasConversation: pointer === 'kept',
    isCallInterrupted: events.some(
      (event) => event.kind === 'result' && event.terminalReason === 'aborted_tools',
    ),
    toolCalls: toolCallsOf(events),
    eventLog: eventLogOf(end, attempt.reported),
    hasContinued: attempt.isContinuation || earlier.some(({ isContinuation }) => isContinuation),
    wasSilentBefore: earlier.some((before) => before.end === 'stalled'),
  };
}
