/** Events of `result` and `rate_limit_event` lines. */
import type { HarnessEvent, ModelUsage, ResultEvent } from '@/lib/protocol/events';
import { cutWithRemark } from '../event-size';
import { type ResultLine, rateLimitLine, resultLine } from './cli-lines';

/** A report past this size would not fit the batches that carry it; it counts as none. */
const MAX_REPORT_BYTES = 500_000;

export function resultEvent(line: object): ResultEvent {
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

export function rateLimitEvent(line: object): HarnessEvent {
  const info = rateLimitLine.parse(line).rate_limit_info;
  return {
    kind: 'rate_limit',
    status: info?.status ?? 'unknown',
    resetsAt: info?.resetsAt ?? null,
  };
}
