/**
 * Events of a session, as the runner sends them and the control plane stores and shows them.
 * The first group comes from a harness's stream, the second from the runner itself; the control
 * plane adds `notice` and `decision`.
 */

import { z } from 'zod';
import { checkpointSchema } from './checkpoint';
import { checkFactsSchema } from './checks/fact-schema';
import { brokeredEvent, meteredEvent } from './confined-events';
import { confinementStateSchema } from './confinement';
import { boundFigures, FIGURES, modelUsageSchema, outOfRangeSchema } from './figures';
import { checkOutcomeStatusSchema } from './spec';

const count = z.number().int().nonnegative();
/** Figures as they were reported where they stand as unknown, since no such thing can be. */
const outOfRange = outOfRangeSchema.optional();

const initEvent = z.object({
  kind: z.literal('init'),
  cliSessionId: z.string().nullable(),
  cliVersion: z.string().nullable(),
  model: z.string().nullable(),
  tools: z.array(z.string()),
  mcpServers: z.array(z.object({ name: z.string(), status: z.string() })),
  permissionMode: z.string().nullable(),
  cwd: z.string().nullable(),
});

const textEvent = z.object({
  kind: z.literal('text'),
  messageId: z.string().nullable(),
  text: z.string(),
  /** Set inside a sub-agent. */
  parentToolUseId: z.string().nullable(),
});

const toolCallEvent = z.object({
  kind: z.literal('tool_call'),
  messageId: z.string().nullable(),
  toolUseId: z.string(),
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  parentToolUseId: z.string().nullable(),
});

const toolResultEvent = z.object({
  kind: z.literal('tool_result'),
  toolUseId: z.string(),
  isError: z.boolean(),
  /** Refused by the CLI's permission rules, so it did not run. */
  denied: z.boolean(),
  content: z.string(),
  stdout: z.string().nullable(),
  stderr: z.string().nullable(),
  exitCode: z.number().int().nullable(),
  /** Bytes left out of the texts above. */
  cutBytes: count,
});

/** Tokens of one model request, final for a request that ended. Never summed with `result`. */
const requestUsageEvent = z.object({
  kind: z.literal('request_usage'),
  messageId: z.string(),
  model: z.string(),
  ...FIGURES.request_usage,
  outOfRange,
  /** False for a request that was cut off: its output count is what had been said so far. */
  final: z.boolean(),
  /** Set inside a sub-agent, whose context is not the conversation's. */
  parentToolUseId: z.string().nullable().optional(),
});

const apiRetryEvent = z.object({
  kind: z.literal('api_retry'),
  attempt: count,
  maxRetries: count,
  delayMs: z.number().nonnegative(),
  status: z.number().int().nullable(),
  error: z.string().nullable(),
});

const modelFallbackEvent = z.object({
  kind: z.literal('model_fallback'),
  from: z.string(),
  to: z.string(),
  trigger: z.string().nullable(),
});

const compactionEvent = z.object({
  kind: z.literal('compaction'),
  phase: z.enum(['started', 'finished', 'failed']),
  trigger: z.string().nullable(),
  preTokens: count.nullable(),
  postTokens: count.nullable(),
  error: z.string().nullable(),
});

const rateLimitEvent = z.object({
  kind: z.literal('rate_limit'),
  status: z.string(),
  ...FIGURES.rate_limit,
  outOfRange,
});

const resultEvent = z.object({
  kind: z.literal('result'),
  subtype: z.string(),
  isError: z.boolean(),
  apiErrorStatus: z.number().int().nullable(),
  terminalReason: z.string().nullable(),
  stopReason: z.string().nullable(),
  cliSessionId: z.string().nullable(),
  ...FIGURES.result,
  outOfRange,
  /** By model name as the CLI names it. Per process or per conversation, by CLI version. */
  modelUsage: z.record(z.string(), modelUsageSchema),
  text: z.string().nullable(),
  errors: z.array(z.string()),
  structuredOutput: z.unknown(),
  permissionDenials: z.array(z.object({ tool: z.string(), toolUseId: z.string().nullable() })),
});

/** A line of stdout that is no event, or of a type we do not know. */
const unparsedEvent = z.object({
  kind: z.literal('unparsed'),
  text: z.string(),
  bytes: count,
  reason: z.enum(['not_json', 'too_long', 'unknown_type']),
});

/** Lifecycle of background tasks and hooks: shown as one meta row. */
const systemEvent = z.object({
  kind: z.literal('system'),
  subtype: z.string(),
  detail: z.record(z.string(), z.unknown()),
});

/**
 * The agent waits for an answer: this event suspends the stall timeout of a start with
 * `questionWaitSeconds`.
 */
export const questionEventSchema = z.object({
  kind: z.literal('question'),
  /** The CLI's own id of the request; unique within an attempt. */
  requestId: z.string(),
  toolUseId: z.string().nullable(),
  questions: z.array(
    z.object({
      /** The text; also the key of its answer. */
      question: z.string(),
      /** A word or two. */
      header: z.string(),
      multiSelect: z.boolean(),
      options: z.array(z.object({ label: z.string(), description: z.string() })),
    }),
  ),
});

/**
 * A piece of an answer that is being written (only `ask`), where the pieces before it end. The
 * complete message follows as `text`, which replaces its pieces. The pieces of a message that was
 * never completed are one event in the session's stream.
 */
const answerPartEventSchema = z.object({
  kind: z.literal('answer_part'),
  messageId: z.string(),
  text: z.string(),
});
export type AnswerPartEvent = z.infer<typeof answerPartEventSchema>;

export const harnessEventSchema = z.discriminatedUnion('kind', [
  initEvent,
  textEvent,
  answerPartEventSchema,
  toolCallEvent,
  toolResultEvent,
  requestUsageEvent,
  apiRetryEvent,
  modelFallbackEvent,
  compactionEvent,
  rateLimitEvent,
  resultEvent,
  unparsedEvent,
  systemEvent,
  questionEventSchema,
]);
export type HarnessEvent = z.infer<typeof harnessEventSchema>;
export type ResultEvent = z.infer<typeof resultEvent>;
export type InitEvent = z.infer<typeof initEvent>;
export type ToolCallEvent = z.infer<typeof toolCallEvent>;
export type ToolResultEvent = z.infer<typeof toolResultEvent>;
export type QuestionEvent = z.infer<typeof questionEventSchema>;
export type RequestUsageEvent = z.infer<typeof requestUsageEvent>;

/** Exactly what was started: the first event of every attempt. */
const commandEvent = z.object({
  kind: z.literal('command'),
  argv: z.array(z.string()),
  /** Never contains values of secrets: they are shown as `set`. */
  env: z.record(z.string(), z.string()),
  prompt: z.string(),
  systemPrompt: z.string(),
  workDir: z.string(),
  configDir: z.string(),
  /** Which folder the work directory is: a path alone may name another one later. */
  workDirInode: z.string(),
  /** What the runner compared with the start before it spawned the process, and found equal. */
  verified: z.array(z.enum(['agent', 'work_dir', 'transcript'])).optional(),
  /** Of the agent that is started; absent from runners that don't report them. */
  fingerprint: z.string().nullable().optional(),
  account: z.string().nullable().optional(),
  cliVersion: z.string().nullable(),
  /** Whether it runs in a sandbox. Absent from runners that have none. */
  confinement: confinementStateSchema.optional(),
});

const processEvent = z.object({
  kind: z.literal('process'),
  phase: z.enum(['started', 'exited']),
  pid: count.nullable(),
  code: z.number().int().nullable(),
  signal: z.string().nullable(),
});

const stderrEvent = z.object({ kind: z.literal('stderr'), text: z.string() });

/** A check that the runner itself ran, by real sockets and processes: a fact, not a claim. */
export const checkResultEvent = z.object({
  kind: z.literal('check_result'),
  service: z.string(),
  type: z.string(),
  target: z.string(),
  /** `unknown`: the check couldn't be performed; `error` is the reason. */
  status: checkOutcomeStatusSchema,
  error: z.string(),
  ...FIGURES.check_result,
  facts: checkFactsSchema.optional().catch(undefined),
  outOfRange,
});

/** Answers to a question of the agent, by the question's text; several choices stand in commas. */
export const questionAnswersSchema = z.record(z.string(), z.string());
export type QuestionAnswers = z.infer<typeof questionAnswersSchema>;

/** What became of a question; each has exactly one. */
export const questionClosedEventSchema = z.object({
  kind: z.literal('question_closed'),
  requestId: z.string(),
  /**
   * answered: passed to the process. expired: nobody answered in time. cancelled: the process
   * ended.
   */
  outcome: z.enum(['answered', 'expired', 'cancelled']),
  /** Null unless answered. */
  answers: questionAnswersSchema.nullable(),
});

/** What a session knew at one moment. The control plane keeps the digest apart from the stream. */
const checkpointEvent = checkpointSchema.extend({ kind: z.literal('checkpoint') });

/** How urgent a notice is. */
export const LEVELS = ['info', 'warning', 'critical'] as const;
export const levelSchema = z.enum(LEVELS);
export type Level = z.infer<typeof levelSchema>;

const noticeEvent = z.object({
  kind: z.literal('notice'),
  level: levelSchema,
  /** Stable, in capitals: `STALLED`. */
  code: z.string(),
  message: z.string(),
  service: z.string().nullable().optional(),
});

/** Parses an event, with its figures brought within their bounds first. */
export const runnerEventSchema = z.preprocess(
  boundFigures,
  z.discriminatedUnion('kind', [
    ...harnessEventSchema.options,
    commandEvent,
    brokeredEvent,
    meteredEvent,
    processEvent,
    stderrEvent,
    checkResultEvent,
    questionClosedEventSchema,
    checkpointEvent,
    noticeEvent,
  ]),
);
export type RunnerEvent = z.infer<typeof runnerEventSchema>;
export type CommandEvent = z.infer<typeof commandEvent>;
export type QuestionClosedEvent = z.infer<typeof questionClosedEventSchema>;
export type CheckResultEvent = z.infer<typeof checkResultEvent>;
export type CheckpointEvent = z.infer<typeof checkpointEvent>;
