/**
 * Follows the model requests of one process. A request is reported at once when it starts, so
 * that a killed process is metered too, and again with its final figures; a reader keeps the
 * last report of each message id.
 */
import type { HarnessEvent, RequestUsageEvent } from '@/lib/protocol/events';
import type { AssistantLine, CliUsage, StreamLine } from './cli-lines';

export function createRequestMeter() {
  /** The request that is being answered, by sub-agent (`''` for the conversation itself). */
  const open = new Map<string, RequestUsageEvent>();
  const seen = new Set<string>();

  function start(
    message: { id: string; model: string; usage: CliUsage },
    parentToolUseId: string | null,
    final: boolean,
  ): HarnessEvent[] {
    const event: RequestUsageEvent = {
      kind: 'request_usage',
      messageId: message.id,
      model: message.model,
      inputTokens: message.usage?.input_tokens ?? 0,
      outputTokens: message.usage?.output_tokens ?? 0,
      cacheReadTokens: message.usage?.cache_read_input_tokens ?? 0,
      cacheWriteTokens: message.usage?.cache_creation_input_tokens ?? 0,
      final,
      parentToolUseId,
    };
    seen.add(message.id);
    open.set(parentToolUseId ?? '', event);
    return [event];
  }

  return {
    /** Of the message that the conversation itself is being answered with. */
    get answeringId(): string | null {
      return open.get('')?.messageId ?? null;
    },

    streamed({ event, parent_tool_use_id }: StreamLine): HarnessEvent[] {
      if (event.type === 'message_start') return start(event.message, parent_tool_use_id, false);
      const begun = open.get(parent_tool_use_id ?? '');
      if (begun === undefined) return [];
      const ended: RequestUsageEvent = {
        ...begun,
        // The last figures repeat the input's, or leave them out, or give 0.
        inputTokens: event.usage?.input_tokens || begun.inputTokens,
        cacheReadTokens: event.usage?.cache_read_input_tokens || begun.cacheReadTokens,
        cacheWriteTokens: event.usage?.cache_creation_input_tokens || begun.cacheWriteTokens,
        outputTokens: event.usage?.output_tokens ?? begun.outputTokens,
        final: event.delta?.stop_reason != null,
      };
      open.set(parent_tool_use_id ?? '', ended);
      return [ended];
    },

    /** A request that was not streamed shows up here alone, and so does a sub-agent's. */
    answered({ message, parent_tool_use_id }: AssistantLine): HarnessEvent[] {
      if (message.id === '' || message.usage === null || seen.has(message.id)) return [];
      return start(message, parent_tool_use_id, message.stop_reason !== null);
    },
  };
}
