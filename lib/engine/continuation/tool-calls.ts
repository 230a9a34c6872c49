import type { AttemptEnd } from '@/lib/agents/attempt-end';
import { findAgent } from '@/lib/agents/registry';
import { onlyReads } from '@/lib/commands/reading';
import type { AttemptResult } from '@/lib/protocol/schema';
import type { EarlierAttempt } from './schema';

/** One tool call, with its result if it has arrived. */
export interface ToolCallFact {
  tool: string;
  /** The report or our own check: see `isOurTool`. */
  isOurs: boolean;
  /** Made in a sandbox, whose commands are facts of their own: see `BROKERED_COMMAND`. */
  isConfined?: boolean;
  input: Readonly<Record<string, unknown>>;
  result: { denied: boolean } | null;
}

/** Stands for a command that ran outside a sandbox and may have changed something. */
export const BROKERED_COMMAND = 'Command';

const READ_ONLY_TOOLS = ['Read', 'Grep', 'Glob'];

/**
 * Returns whether a tool of an agent is our own check, which only reads services, or the report's,
 * which ends the process without changing anything.
 *
 * @param harness null or unknown: no tool is
 */
export function isOurTool(tool: string, harness: string | null): boolean {
  const names = harness === null ? null : findAgent(harness)?.toolNames;
  return tool === names?.report || tool === names?.check;
}

/**
 * Returns whether a call may have changed something. A refused call did not run; one without a
 * result may have.
 */
export function mayHaveChangedBy(call: ToolCallFact): boolean {
  if (call.result?.denied) return false;
  if (call.isOurs || READ_ONLY_TOOLS.includes(call.tool)) return false;
  if (call.tool !== 'Bash') return true;
  if (call.isConfined) return false;
  const { command } = call.input;
  return typeof command !== 'string' || !onlyReads(command);
}

/** Returns whether repeating these calls could do something twice. */
export function mayHaveChanged(calls: readonly ToolCallFact[]): boolean {
  return calls.some(mayHaveChangedBy);
}

/**
 * How much of an attempt the control plane has seen.
 *
 * - `not_started`: the runner reported that it never spawned a process.
 * - `complete`: the runner saw the process exit and delivered every event.
 * - `incomplete`: contact broke off while the process was running, or may have been.
 */
export type EventLog = 'not_started' | 'complete' | 'incomplete';

/**
 * Returns how much of an attempt was seen, from what its runner reported.
 *
 * @param reported the runner's result; null if its lease expired without one
 */
export function eventLogOf(
  end: AttemptEnd | null,
  reported: Pick<AttemptResult, 'startError' | 'exit' | 'lastSeq'> | null,
): EventLog {
  if (reported === null) return 'incomplete';
  const { startError, exit, lastSeq } = reported;
  // A restarted runner proves by an empty spool that nothing started: the first event is written
  // before the spawn.
  const isProof = startError?.code === 'runner_restarted' ? lastSeq === 0 : startError !== null;
  if (isProof) return 'not_started';
  return end === 'lost' || exit === null ? 'incomplete' : 'complete';
}

/**
 * Returns whether an attempt may have changed something, by its calls or because its last events
 * are unknown.
 */
export function mayHaveActed(attempt: {
  eventLog: EventLog;
  toolCalls: readonly ToolCallFact[];
}): boolean {
  if (attempt.eventLog === 'not_started') return false;
  return attempt.eventLog === 'incomplete' || mayHaveChanged(attempt.toolCalls);
}

/** Tools whose call, once it ended, is known to be a change and not merely possibly one. */
const CHANGING_TOOLS = ['Bash', BROKERED_COMMAND, 'Edit', 'Write', 'NotebookEdit'];

/** Returns the counts that the resume decision compares. */
export function earlierAttemptOf(calls: readonly ToolCallFact[]): EarlierAttempt {
  const suspects = calls.filter(mayHaveChangedBy);
  const ended = suspects.filter((call) => call.result !== null);
  const changing = ended.filter((call) => CHANGING_TOOLS.includes(call.tool));
  return {
    outstandingCalls: suspects.length - ended.length,
    unknownCalls: ended.length - changing.length,
    changingCalls: changing.length,
  };
}
