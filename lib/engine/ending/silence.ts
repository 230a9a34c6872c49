import type { AttemptEnd, ClassifiedEnd } from '@/lib/agents/attempt-end';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { AttemptResult } from '@/lib/protocol/schema';
import type { HarnessName } from '@/lib/protocol/spec';
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
  classified: Pick<ClassifiedEnd, 'end' | 'pointer' | 'isCallInterrupted'>,
  attempt: {
    isContinuation: boolean;
    /** All events of this attempt, oldest first. */
    events: readonly RunnerEvent[];
    /** Null if it never started. */
    harness: HarnessName | null;
    /** Null if its lease expired without a result. */
    reported: Pick<AttemptResult, 'startError' | 'exit' | 'lastSeq'> | null;
    /** The session's attempts before this one. */
    earlier: readonly EndedAttempt[];
  },
): SilenceFacts {
  const { events, earlier } = attempt;
  return {
    hasConversation: classified.pointer === 'kept',
    isCallInterrupted: classified.isCallInterrupted,
    toolCalls: toolCallsOf(events, attempt.harness),
    eventLog: eventLogOf(classified.end, attempt.reported),
    hasContinued: attempt.isContinuation || earlier.some(({ isContinuation }) => isContinuation),
    wasSilentBefore: earlier.some((before) => before.end === 'stalled'),
  };
}
