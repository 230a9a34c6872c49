import type { RunnerEvent } from '@/lib/protocol/events';
import type { HarnessName } from '@/lib/protocol/spec';
import { isOurTool, type ToolCallFact } from '../continuation/tool-calls';

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
