/** A span as it is exported: made of rows, with its own times. */

import type { SpanSubject } from '@/lib/engine/trace-ids';

export type SpanKind = 'internal' | 'client';

export type SpanAttributes = Record<string, string | number | boolean>;

export interface TraceSpan {
  subject: SpanSubject;
  spanId: string;
  /** Null for the root. */
  parentSpanId: string | null;
  name: string;
  kind: SpanKind;
  startedAt: Date;
  endedAt: Date;
  attributes: SpanAttributes;
  isError: boolean;
  /** Other spans of the same trace. */
  links: readonly { spanId: string; attributes: SpanAttributes }[];
}

/** A chain with everything in it; the root comes first, and parents before their children. */
export interface Trace {
  traceId: string;
  spans: readonly TraceSpan[];
}

/** Where a process exports traces to. */
export interface TraceExporter {
  exportTrace(trace: Trace): void;
  /** Resolves once everything is exported, or given up. */
  flush(): Promise<void>;
  shutdown(): Promise<void>;
}

/**
 * Names of the OpenTelemetry conventions for generative AI, v0.1.0 (status Development: they were renamed
 * several times). Prompts, arguments and answers have names there too, which are left out on purpose.
 */
export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  agent: 'gen_ai.agent.name',
  conversation: 'gen_ai.conversation.id',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  responseId: 'gen_ai.response.id',
  tool: 'gen_ai.tool.name',
  toolCall: 'gen_ai.tool.call.id',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheWriteTokens: 'gen_ai.usage.cache_write.input_tokens',
} as const;

/** Values of `gen_ai.operation.name`. */
export const OPERATIONS = {
  agent: 'invoke_agent',
  chat: 'chat',
  tool: 'execute_tool',
} as const;

/** `gen_ai.provider.name` by the agent's name; another agent stands for itself. */
const PROVIDERS: Readonly<Record<string, string>> = { claude: 'anthropic' };

export function providerOf(harness: string): string {
  return PROVIDERS[harness] ?? harness;
}
