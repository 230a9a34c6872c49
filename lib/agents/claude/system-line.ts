/** Events of lines whose type is `system`. */
import type { HarnessEvent } from '@/lib/protocol/events';
import { cutValue } from '../event-size';
import {
  apiRetryLine,
  compactBoundaryLine,
  initLine,
  modelFallbackLine,
  statusLine,
  systemLine,
} from './cli-lines';

const MAX_DETAIL_BYTES = 8_000;

export function systemEvents(line: object): HarnessEvent[] {
  const { type: _, subtype, uuid: __, session_id: ___, ...detail } = systemLine.parse(line);
  switch (subtype) {
    case 'init':
      return [init(line)];
    case 'api_retry':
      return [apiRetry(line)];
    case 'model_fallback':
      return [modelFallback(line)];
    case 'status':
      return status(line);
    case 'compact_boundary':
      return [compactBoundary(line)];
    case 'thinking_tokens':
      return [];
    default:
      return [{ kind: 'system', subtype, detail: cutValue(detail, MAX_DETAIL_BYTES) }];
  }
}

function init(line: object): HarnessEvent {
  const parsed = initLine.parse(line);
  return {
    kind: 'init',
    cliSessionId: parsed.session_id,
    cliVersion: parsed.claude_code_version,
    model: parsed.model,
    tools: parsed.tools,
    mcpServers: parsed.mcp_servers,
    permissionMode: parsed.permissionMode,
    cwd: parsed.cwd,
  };
}

function apiRetry(line: object): HarnessEvent {
  const parsed = apiRetryLine.parse(line);
  return {
    kind: 'api_retry',
    attempt: parsed.attempt ?? 0,
    maxRetries: parsed.max_retries ?? 0,
    delayMs: parsed.retry_delay_ms ?? 0,
    status: parsed.error_status,
    error: parsed.error,
  };
}

function modelFallback(line: object): HarnessEvent {
  const parsed = modelFallbackLine.parse(line);
  return {
    kind: 'model_fallback',
    from: parsed.original_model,
    to: parsed.fallback_model,
    trigger: parsed.trigger,
  };
}

/** A successful compaction is reported by its boundary, with the figures. */
function status(line: object): HarnessEvent[] {
  const parsed = statusLine.parse(line);
  const compaction = {
    kind: 'compaction',
    trigger: null,
    preTokens: null,
    postTokens: null,
  } as const;
  if (parsed.status === 'compacting') return [{ ...compaction, phase: 'started', error: null }];
  if (parsed.compact_result === 'failed') {
    return [{ ...compaction, phase: 'failed', error: parsed.compact_error }];
  }
  return [];
}

function compactBoundary(line: object): HarnessEvent {
  const metadata = compactBoundaryLine.parse(line).compact_metadata;
  return {
    kind: 'compaction',
    phase: 'finished',
    trigger: metadata?.trigger ?? null,
    preTokens: metadata?.pre_tokens ?? null,
    postTokens: metadata?.post_tokens ?? null,
    error: null,
  };
}
