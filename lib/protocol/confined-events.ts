/** What a runner reports of a confined agent: its commands outside the sandbox, and its model requests. */
import { z } from 'zod';
import { milliseconds, requestTokens } from './figures';

const count = z.number().int().nonnegative();

/** What a column of integers holds. */
const MAX_INTEGER = 2_147_483_647;

/** Characters of a command's output that its event keeps, from its end. */
export const MAX_COMMAND_OUTPUT = 8_000;

/**
 * One command that a confined agent has asked the command broker for. It is `started` and later
 * `ended`, or `refused`: then it was never executed, even if it was `started` before, which says that
 * it was about to. One that may change something is on disk as `started` before it is executed.
 * `left_running`: it, or what it has started, could not be ended with the attempt and may still run.
 */
export const brokeredEvent = z.object({
  kind: z.literal('brokered'),
  phase: z.enum(['refused', 'started', 'ended', 'left_running']),
  /** Of the attempt's commands, from 1. */
  number: count.max(MAX_INTEGER),
  argv: z.array(z.string()),
  /** The rule that allows or refuses it, as written; null if none does. */
  rule: z.string().nullable(),
  /** Why it was refused: a code, and the sentence that the agent read. Null unless refused. */
  refusal: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** Whether it may change something outside the work folder. */
  changes: z.boolean(),
  /** Null unless it has ended; of one that was left running, unless the program itself has. */
  end: z
    .object({
      /** Null if a signal ended it, or if it couldn't be started. */
      exitCode: z.number().int().min(-MAX_INTEGER).max(MAX_INTEGER).nullable(),
      signal: z.string().nullable(),
      /** Why it couldn't be started; null if it was. */
      error: z.string().nullable().default(null),
      durationMs: milliseconds,
      /** The end of what it printed, stdout and stderr as they came. */
      output: z.string(),
      outputBytes: count,
    })
    .nullable(),
});
export type BrokeredEvent = z.infer<typeof brokeredEvent>;

/**
 * One request of a confined agent to its model, as the runner's gateway has counted it: the source of
 * what the attempt has cost.
 */
export const meteredEvent = z.object({
  kind: z.literal('metered'),
  /** The provider's id of the answer. */
  messageId: z.string(),
  model: z.string(),
  inputTokens: requestTokens,
  outputTokens: requestTokens,
  cacheReadTokens: requestTokens,
  cacheWriteTokens: requestTokens,
  /** Searches that the provider made for it; absent: none. */
  webSearches: count.max(MAX_INTEGER).optional(),
  /**
   * False if the answer was cut off: its output is what had come until then, or, if nothing had come,
   * everything is what it may have been.
   */
  isComplete: z.boolean(),
  /** From the request to the end of its answer; absent from runners that don't measure it. */
  durationMs: milliseconds.optional(),
});
export type MeteredEvent = z.infer<typeof meteredEvent>;
