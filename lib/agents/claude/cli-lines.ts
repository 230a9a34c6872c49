/**
 * The lines of `--output-format stream-json` as far as we read them. Fields that are missing or
 * of another type become null or empty: one changed field must not lose the rest of an event.
 */
import { z } from 'zod';

const text = z.string().nullable().catch(null);
const amount = z.number().nonnegative().nullable().catch(null);
const count = z.number().int().nonnegative().nullable().catch(null);
/** As reported, whatever its size: the protocol bounds it and keeps what it was. */
const figure = z
  .custom<number>((value) => typeof value === 'number')
  .nullable()
  .catch(null);
const record = z.record(z.string(), z.unknown());

function listOf<T extends z.ZodType>(item: T) {
  return z.array(item).catch([]);
}

const usage = z
  .object({
    input_tokens: figure,
    output_tokens: figure,
    cache_read_input_tokens: figure,
    cache_creation_input_tokens: figure,
  })
  .nullable()
  .catch(null);
export type CliUsage = z.infer<typeof usage>;

export const systemLine = z.looseObject({ subtype: z.string().catch('unknown') });

export const initLine = z.object({
  session_id: text,
  claude_code_version: text,
  model: text,
  tools: listOf(z.string()),
  mcp_servers: listOf(z.object({ name: z.string(), status: z.string().catch('unknown') })),
  permissionMode: text,
  cwd: text,
});

export const apiRetryLine = z.object({
  attempt: count,
  max_retries: count,
  retry_delay_ms: amount,
  error_status: z.number().int().nullable().catch(null),
  error: text,
});

export const modelFallbackLine = z.object({
  original_model: z.string().catch('unknown'),
  fallback_model: z.string().catch('unknown'),
  trigger: text,
});

export const statusLine = z.object({ status: text, compact_result: text, compact_error: text });

export const compactBoundaryLine = z.object({
  compact_metadata: z
    .object({ trigger: text, pre_tokens: count, post_tokens: count })
    .nullable()
    .catch(null),
});

export const rateLimitLine = z.object({
  rate_limit_info: z
    .object({ status: z.string().catch('unknown'), resetsAt: figure })
    .nullable()
    .catch(null),
});

const contentBlock = z.looseObject({ type: z.string().catch('unknown') });
const content = z.union([z.string(), z.array(contentBlock)]).catch([]);

export const assistantLine = z.object({
  message: z.object({
    id: z.string().catch(''),
    model: z.string().catch('unknown'),
    content,
    stop_reason: text,
    usage,
  }),
  parent_tool_use_id: text,
});
export type AssistantLine = z.infer<typeof assistantLine>;

export const userLine = z.object({
  message: z.object({ content }),
  parent_tool_use_id: text,
  tool_use_result: z.unknown().optional(),
});

export const textBlock = z.object({ text: z.string() });
export const toolUseBlock = z.object({ id: z.string(), name: z.string(), input: record.catch({}) });
export const toolResultBlock = z.object({
  tool_use_id: z.string(),
  is_error: z.boolean().catch(false),
  content,
});
export const shellResult = z.object({
  stdout: z.string(),
  stderr: z.string().catch(''),
  interrupted: z.boolean().catch(false),
  backgroundTaskId: text,
});

export const streamLine = z.object({
  event: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('message_start'),
      message: z.object({ id: z.string(), model: z.string(), usage }),
    }),
    z.object({
      type: z.literal('message_delta'),
      delta: z.object({ stop_reason: text }).nullable().catch(null),
      usage,
    }),
  ]),
  parent_tool_use_id: text,
});
export type StreamLine = z.infer<typeof streamLine>;

export const textDeltaLine = z.object({
  event: z.object({
    type: z.literal('content_block_delta'),
    delta: z.object({ type: z.literal('text_delta'), text: z.string() }),
  }),
  parent_tool_use_id: text,
});

export const controlRequestLine = z.object({
  request_id: z.string(),
  request: z.object({
    subtype: z.string().catch('unknown'),
    tool_name: text,
    tool_use_id: text,
    input: record.catch({}),
  }),
});
export type ControlRequest = z.infer<typeof controlRequestLine>;

/** Input of the tool that asks a person. */
export const questionInput = z.object({
  questions: z
    .array(
      z.object({
        question: z.string().min(1),
        header: z.string().catch(''),
        multiSelect: z.boolean().catch(false),
        options: listOf(z.object({ label: z.string(), description: z.string().catch('') })),
      }),
    )
    .min(1),
});

const modelTotals = z.object({
  inputTokens: figure,
  outputTokens: figure,
  cacheReadInputTokens: figure,
  cacheCreationInputTokens: figure,
  costUSD: figure,
  contextWindow: figure,
});

export const resultLine = z.object({
  subtype: z.string().catch('unknown'),
  // A result that does not say so is not taken for a success.
  is_error: z.boolean().catch(true),
  api_error_status: z.number().int().nullable().catch(null),
  terminal_reason: text,
  stop_reason: text,
  session_id: text,
  num_turns: figure,
  duration_ms: figure,
  duration_api_ms: figure,
  total_cost_usd: figure,
  modelUsage: z.record(z.string(), modelTotals).catch({}),
  result: text,
  errors: listOf(z.string()),
  structured_output: z.unknown().optional(),
  permission_denials: listOf(z.object({ tool_name: z.string(), tool_use_id: text })),
});
export type ResultLine = z.infer<typeof resultLine>;
