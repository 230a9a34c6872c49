/** Turns the stream-json lines of one Claude Code process into events. */

import type { HarnessEvent, RequestUsageEvent, ResultEvent } from '@/lib/protocol/events';
import type { ModelUsage } from '@/lib/protocol/figures';
import type { StreamParser } from '../agent';
import { cutText, cutValue, cutWithRemark, MAX_UNPARSED_BYTES } from '../event-size';
import {
  type AssistantLine,
  assistantLine,
  type CliUsage,
  type ResultLine,
  rateLimitLine,
  resultLine,
  type StreamLine,
  streamLine,
  textBlock,
  textDeltaLine,
  toolUseBlock,
  userLine,
} from './cli-lines';
import { createControlRequests } from './control-requests';
import { systemEvents } from './system-line';
import { cutToolResult, toolResult } from './tool-result';

/** Model name of messages that the CLI wrote itself, such as the text of an API error. */
const SYNTHETIC_MODEL = '<synthetic>';

export function createClaudeParser({ reportsParts } = { reportsParts: false }): StreamParser {
  const meter = createRequestMeter();
  const requests = createControlRequests();
  /** Tool names by call id; an entry is dropped with its result. */
  const calls = new Map<string, string>();

  function assistant(line: object): HarnessEvent[] {
    const { message, parent_tool_use_id: parentToolUseId } = assistantLine.parse(line);
    const blocks =
      typeof message.content === 'string'
        ? [{ type: 'text', text: message.content }]
        : message.content;
    const isSynthetic = message.model === SYNTHETIC_MODEL;
    const messageId = message.id === '' ? null : message.id;
    const events = isSynthetic
      ? []
      : meter.answered({ message, parent_tool_use_id: parentToolUseId });
    for (const block of blocks) {
      if (block.type === 'text') {
        const text = cutWithRemark(textBlock.parse(block).text);
        if (isSynthetic) events.push({ kind: 'system', subtype: 'cli_message', detail: { text } });
        else events.push({ kind: 'text', messageId, text, parentToolUseId });
      }
      if (block.type === 'tool_use') {
        const { id: toolUseId, name: tool, input } = toolUseBlock.parse(block);
        calls.set(toolUseId, tool);
        const kept = cutValue(input);
        events.push({
          kind: 'tool_call',
          messageId,
          toolUseId,
          tool,
          input: kept,
          parentToolUseId,
        });
      }
    }
    return events;
  }

  function user(line: object): HarnessEvent[] {
    const { message, tool_use_result: structured } = userLine.parse(line);
    if (typeof message.content === 'string') return [];
    return message.content.flatMap((block) => {
      if (block.type !== 'tool_result') return [];
      const result = toolResult(block, structured, calls.get(String(block.tool_use_id)) ?? null);
      if (result === null) return [];
      calls.delete(result.toolUseId);
      return [result];
    });
  }

  /** A sub-agent's words are no part of the answer. */
  function part(line: object): HarnessEvent[] {
    const { event, parent_tool_use_id: parentToolUseId } = textDeltaLine.parse(line);
    const messageId = meter.answeringId;
    if (parentToolUseId !== null || messageId === null) return [];
    return [{ kind: 'answer_part', messageId, text: event.delta.text }];
  }

  function read(line: object): HarnessEvent[] | null {
    switch ('type' in line ? line.type : null) {
      case 'system':
        return systemEvents(line);
      case 'assistant':
        return assistant(line);
      case 'user':
        return user(line);
      case 'stream_event':
        return meter.streamed(streamLine.parse(line));
      case 'rate_limit_event':
        return [rateLimitEvent(line)];
      case 'result':
        return [resultEvent(line)];
      case 'control_request':
        return requests.requested(line);
      case 'control_cancel_request':
        requests.withdrawn(line);
        return [];
      default:
        return null;
    }
  }

  return {
    requests,
    push(line, cutBytes = 0) {
      if (line.trim() === '') return [];
      const isPart = isPartialText(line);
      const isReported = reportsParts && cutBytes === 0 && line.includes('"type":"text_delta"');
      if (isPart && !isReported) return [];
      if (cutBytes > 0) {
        if (line.startsWith('{"type":"control_request"')) requests.cut(line);
        return [cutToolResult(line, cutBytes) ?? unparsed(line, 'too_long', cutBytes)];
      }
      const json = parseObject(line);
      if (json === null) return [unparsed(line, 'not_json')];
      try {
        return isPart ? part(json) : (read(json) ?? [unparsed(line, 'unknown_type')]);
      } catch {
        // A known type in a shape we do not know; the line itself is kept.
        return [unparsed(line, 'unknown_type')];
      }
    },
  };
}

/** Most lines are pieces of what comes again whole; they are skipped before parsing. */
function isPartialText(line: string): boolean {
  return (
    line.startsWith('{"type":"stream_event"') &&
    !line.includes('"type":"message_start"') &&
    !line.includes('"type":"message_delta"')
  );
}

function parseObject(line: string): object | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function unparsed(
  line: string,
  reason: 'not_json' | 'too_long' | 'unknown_type',
  cutBytes = 0,
): HarnessEvent {
  const { text } = cutText(line, MAX_UNPARSED_BYTES);
  return { kind: 'unparsed', text, bytes: Buffer.byteLength(line) + cutBytes, reason };
}

/** A report past this size would not fit the batches that carry it; it counts as none. */
const MAX_REPORT_BYTES = 500_000;

function resultEvent(line: object): ResultEvent {
  const parsed = resultLine.parse(line);
  return {
    kind: 'result',
    subtype: parsed.subtype,
    isError: parsed.is_error,
    apiErrorStatus: parsed.api_error_status,
    terminalReason: parsed.terminal_reason,
    stopReason: parsed.stop_reason,
    cliSessionId: parsed.session_id,
    numTurns: parsed.num_turns,
    durationMs: parsed.duration_ms,
    durationApiMs: parsed.duration_api_ms,
    totalCostUsd: parsed.total_cost_usd,
    modelUsage: Object.fromEntries(
      Object.entries(parsed.modelUsage).map(([model, totals]) => [model, modelUsage(totals)]),
    ),
    text: parsed.result === null ? null : cutWithRemark(parsed.result),
    errors: parsed.errors.slice(0, 20).map((error) => cutWithRemark(error, 2_000)),
    structuredOutput: report(parsed.structured_output),
    permissionDenials: parsed.permission_denials
      .slice(0, 500)
      .map((denial) => ({ tool: denial.tool_name, toolUseId: denial.tool_use_id })),
  };
}

function modelUsage(totals: ResultLine['modelUsage'][string]): ModelUsage {
  return {
    inputTokens: totals.inputTokens ?? 0,
    outputTokens: totals.outputTokens ?? 0,
    cacheReadTokens: totals.cacheReadInputTokens ?? 0,
    cacheWriteTokens: totals.cacheCreationInputTokens ?? 0,
    costUsd: totals.costUSD,
    contextWindow: totals.contextWindow,
  };
}

function report(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  return Buffer.byteLength(JSON.stringify(value)) > MAX_REPORT_BYTES ? null : value;
}

function rateLimitEvent(line: object): HarnessEvent {
  const info = rateLimitLine.parse(line).rate_limit_info;
  return {
    kind: 'rate_limit',
    status: info?.status ?? 'unknown',
    resetsAt: info?.resetsAt ?? null,
  };
}

/**
 * Follows the model requests of one process. A request is reported at once when it starts, so
 * that a killed process is metered too, and again with its final figures; a reader keeps the
 * last report of each message id.
 */
function createRequestMeter() {
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
