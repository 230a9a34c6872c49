import { isReadOnlyCommand } from './read-only-command';
import type { EarlierAttempt } from './schema';

/** One call of a tool, with its result if it came. */
export interface ToolCallFact {
  tool: string;
  input: Readonly<Record<string, unknown>>;
  result: { denied: boolean } | null;
}

/** Our own check reads services; the report's tool ends the process and touches nothing. */
const READ_ONLY_TOOLS = ['Read', 'Grep', 'Glob', 'StructuredOutput', 'mcp__tierwatch__check'];

/** A call that was refused did not run. One without a result may have. */
export function mayHaveChangedBy(call: ToolCallFact): boolean {
  if (call.result?.denied) return false;
  if (READ_ONLY_TOOLS.includes(call.tool)) return false;
  if (call.tool !== 'Bash') return true;
  const { command } = call.input;
  return typeof command !== 'string' || !isReadOnlyCommand(command);
}

/** Whether repeating the work could do something twice. */
export function mayHaveChanged(calls: readonly ToolCallFact[]): boolean {
  return calls.some(mayHaveChangedBy);
}

/** Tools whose call, once it ended, is known to be a change and not merely possibly one. */
const CHANGING_TOOLS = ['Bash', 'Edit', 'Write', 'NotebookEdit'];

/** The counts that the resume decision compares. */
export function earlierAttemptOf(
  calls: readonly ToolCallFact[],
  isAcknowledged = false,
): EarlierAttempt {
  const suspects = calls.filter(mayHaveChangedBy);
  const ended = suspects.filter((call) => call.result !== null);
  const changing = ended.filter((call) => CHANGING_TOOLS.includes(call.tool));
  return {
    outstandingCalls: suspects.length - ended.length,
    unknownCalls: ended.length - changing.length,
    changingCalls: changing.length,
    isAcknowledged,
  };
}
