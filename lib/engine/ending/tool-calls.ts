import type { RunnerEvent } from '@/lib/protocol/events';
import type { ToolCallFact } from '../continuation/tool-calls';

/** Returns every tool call with its result, in the order of the calls. */
export function toolCallsOf(events: readonly RunnerEvent[]): ToolCallFact[] {
  const results = new Map(
    events.flatMap((event) =>
      event.kind === 'tool_result' ? [[event.toolUseId, { denied: event.denied }] as const] : [],
    ),
  );
  return events.flatMap((event) =>
    event.kind === 'tool_call'
      ? [{ tool: event.tool, input: event.input, result: results.get(event.toolUseId) ?? null }]
      : [],
  );
}
