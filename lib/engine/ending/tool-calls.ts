import type { AttemptEnd, ClassifiedEnd } from '@/lib/agents/attempt-end';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { AttemptResult } from '@/lib/protocol/schema';
import type { HarnessName } from '@/lib/protocol/spec';
import type { AttemptRow } from '../attempt/data';
import type { SilenceFacts } from '../continuation/silence';
import { eventLogOf, isOurTool, type ToolCallFact } from '../continuation/tool-calls';
import { listSessionFacts } from './data';

/**
 * Returns every tool call with its result, in the order of the calls.
 *
 * @param harness the agent that made them; null if it never started
 */
export function toolCallsOf(
  events: readonly RunnerEvent[],
  harness: HarnessName | null,
): ToolCallFact[] {
  const results = new Map(
    events.flatMap((event) =>
      event.kind === 'tool_result' ? [[event.toolUseId, { denied: event.denied }] as const] : [],
    ),
  );
  return events.flatMap((event) =>
    event.kind === 'tool_call'
      ? [
          {
            tool: event.tool,
            isOurs: isOurTool(event.tool, harness),
            input: event.input,
            result: results.get(event.toolUseId) ?? null,
          },
        ]
      : [],
  );
}

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

/** How a start relates to the earlier attempts of its session. */
export interface EarlierFacts {
  /** It is to continue the session's own conversation, so the session itself is the `parent`. */
  isContinuation: boolean;
  /** An earlier attempt of the session has continued it. */
  hasContinued: boolean;
  /** Calls of the session's earlier attempts, late events included; null for a first attempt. */
  earlierCalls: readonly ToolCallFact[] | null;
}

/** Reads the earlier attempts of a locked attempt's session. */
export async function readEarlier(
  db: TenantDb,
  organizationId: OrganizationId,
  { id, sessionId, number, purpose }: AttemptRow,
  harness: HarnessName,
): Promise<EarlierFacts> {
  const isContinuation = purpose === 'continue';
  const others = { sessionId, purpose: 'continue', id: { not: id } };
  const facts = number > 1 ? await listSessionFacts(db, organizationId, sessionId) : null;
  return {
    isContinuation,
    hasContinued: isContinuation && (await db.attempt.count({ where: others })) > 0,
    earlierCalls:
      facts &&
      toolCallsOf(
        facts.flatMap(({ attemptId, event }) => (attemptId === id ? [] : event)),
        harness,
      ),
  };
}
