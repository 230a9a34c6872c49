import type { AttemptEnd, ClassifiedEnd } from '@/lib/agents/attempt-end';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { BrokeredEvent } from '@/lib/protocol/confined-events';
import { isConfined } from '@/lib/protocol/confinement';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { AttemptResult } from '@/lib/protocol/schema';
import type { HarnessName } from '@/lib/protocol/spec';
import type { AttemptRow } from '../attempt/data';
import type { SilenceFacts } from '../continuation/silence';
import {
  BROKERED_COMMAND,
  eventLogOf,
  isOurTool,
  mayHaveChanged,
  type ToolCallFact,
} from '../continuation/tool-calls';
import { listSessionFacts } from './data';

/**
 * Returns every tool call of one attempt with its result, in the order of the calls, and the commands
 * that a confined agent had run outside its sandbox.
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
  const isInSandbox = events.some((event) => event.kind === 'command' && isConfined(event));
  return events.flatMap((event): ToolCallFact[] => {
    if (event.kind === 'brokered') return commandFact(event, events);
    if (event.kind !== 'tool_call') return [];
    return [
      {
        tool: event.tool,
        isOurs: isOurTool(event.tool, harness),
        ...(isInSandbox ? { isConfined: true } : {}),
        input: event.input,
        result: results.get(event.toolUseId) ?? null,
      },
    ];
  });
}

/** Returns the events of one attempt before the first call that may have changed something. */
export function beforeFirstChange(
  events: readonly RunnerEvent[],
  harness: HarnessName | null,
): readonly RunnerEvent[] {
  const isCall = (event: RunnerEvent) =>
    event.kind === 'tool_call' || (event.kind === 'brokered' && event.phase === 'started');
  const first = events.findIndex((event) => {
    const alone = isCall(event) && events.filter((other) => other === event || !isCall(other));
    return alone && mayHaveChanged(toolCallsOf(alone, harness));
  });
  return first === -1 ? events : events.slice(0, first);
}

/** Returns the tool calls of several attempts of a session, of which some may be confined and others not. */
export function sessionToolCalls(
  rows: readonly { attemptId: string | null; event: RunnerEvent }[],
  harness: HarnessName | null,
): ToolCallFact[] {
  const attemptIds = [...new Set(rows.map(({ attemptId }) => attemptId))];
  return attemptIds.flatMap((id) =>
    toolCallsOf(
      rows.flatMap(({ attemptId, event }) => (attemptId === id ? event : [])),
      harness,
    ),
  );
}

/** One whose end isn't known may have run. */
function commandFact(
  { phase, changes, number, argv }: BrokeredEvent,
  events: readonly RunnerEvent[],
): ToolCallFact[] {
  if (phase !== 'started' || !changes) return [];
  const last = events.findLast((event) => event.kind === 'brokered' && event.number === number);
  const isOver = last?.kind === 'brokered' && (last.phase === 'ended' || last.phase === 'refused');
  return [
    {
      tool: BROKERED_COMMAND,
      isOurs: false,
      input: { command: argv.join(' ') },
      result: isOver ? { denied: last.phase === 'refused' } : null,
    },
  ];
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
  /** Of the session's earlier attempts. */
  events: readonly { attemptId: string | null; event: RunnerEvent }[];
  /** How many of them ended to wait for approval. */
  waits: number;
}

/** Reads the earlier attempts of a locked attempt's session. */
export async function readEarlier(
  db: TenantDb,
  { id, sessionId, number, purpose }: AttemptRow,
  harness: HarnessName,
): Promise<EarlierFacts> {
  const isContinuation = purpose === 'continue' || purpose === 'approval';
  const others = { sessionId, purpose: 'continue', id: { not: id } };
  const facts = number > 1 ? await listSessionFacts(db, sessionId) : null;
  const waited = { sessionId, end: 'waiting_for_approval' };
  const earlier = (facts ?? []).filter(({ attemptId }) => attemptId !== id);
  return {
    isContinuation,
    events: earlier,
    waits: number > 1 ? await db.attempt.count({ where: waited }) : 0,
    hasContinued: purpose === 'continue' && (await db.attempt.count({ where: others })) > 0,
    earlierCalls: facts && sessionToolCalls(earlier, harness),
  };
}
