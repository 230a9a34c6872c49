/** Conversations as the API, the pages and the command line exchange them. Times are ISO 8601 in UTC. */

import { z } from 'zod';
import { questionStatusSchema, sessionStatusSchema } from '@/lib/engine/statuses';
import { pageQuerySchema } from '@/lib/platform/http/cursor';
import { askAgentSchema } from '@/lib/projects/ask-agents';
import { projectRefSchema } from '@/lib/projects/view';
import { MAX_MESSAGE_CHARS, MAX_TITLE_CHARS } from './limits';

const messageSchema = z
  .string('Enter a message.')
  .trim()
  .min(1, 'Enter a message.')
  .max(
    MAX_MESSAGE_CHARS,
    `A message has at most ${MAX_MESSAGE_CHARS.toLocaleString('en')} characters.`,
  )
  .meta({ description: 'Your question, as text; commands in it are never run.' });

const agentNameSchema = z.string().max(40).optional().meta({
  description: 'Name of one of the project’s agents; defaults to the one that answered last.',
});

/** The fields of every new turn. */
export const newTurnSchema = z.object({
  message: messageSchema,
  agent: agentNameSchema,
  forceFresh: z.boolean().default(false).meta({
    description: 'Don’t resume the conversation: the agent starts from the full transcript.',
  }),
});

export type NewTurn = z.infer<typeof newTurnSchema>;

export const newConversationSchema = newTurnSchema.extend({
  project: z
    .string()
    .optional()
    .meta({ description: 'Id or slug of the project; omit it if you give a chain.' }),
  chain: z.string().optional().meta({ description: 'Id of a chain that has ended, `chn_…`.' }),
});
export type NewConversation = z.infer<typeof newConversationSchema>;

export const renameSchema = z.object({
  title: z
    .string('Enter a title.')
    .trim()
    .min(1, 'Enter a title.')
    .max(MAX_TITLE_CHARS, `A title has at most ${MAX_TITLE_CHARS} characters.`)
    .meta({ description: 'Title shown in lists, on one line.' }),
});

/** Replaces a turn; the old turn and all later ones leave the history. */
export const editTurnSchema = newTurnSchema;
export const retryTurnSchema = z.object({ agent: agentNameSchema });

export const conversationQuerySchema = pageQuerySchema.extend({
  /** Id or slug. */
  project: z.string().optional(),
  chain: z.string().optional(),
});

export const turnQuerySchema = z.object({
  /** `true`: also what was taken out of the history. */
  withCut: z.stringbool('Enter true or false.').default(false),
});

export const questionDtoSchema = z.object({
  id: z.string(),
  questions: z.array(
    z.object({
      question: z.string().meta({ description: 'The text of the part, as the agent asked it.' }),
      header: z.string(),
      multiSelect: z.boolean(),
      options: z.array(z.object({ label: z.string(), description: z.string() })),
    }),
  ),
  /** open: the agent waits. answered: on its way or there. expired, cancelled: it no longer waits. */
  status: questionStatusSchema,
  answers: z
    .record(z.string(), z.string())
    .nullable()
    .meta({ description: 'Answers by the text of their part; null while the question is open.' }),
  askedAt: z.string(),
  answeredBy: z.string().nullable(),
  answeredAt: z.string().nullable(),
});
export type QuestionDto = z.infer<typeof questionDtoSchema>;

/** Summed over the ledger of the turn's session. */
const turnUsageSchema = z.object({
  /** Newly read: uncached input and what was written to the cache. */
  newInputTokens: z.number().int(),
  /** Read from the provider's cache. */
  cachedInputTokens: z.number().int(),
  outputTokens: z.number().int(),
  costUsd: z.number(),
  isCostEstimated: z.boolean(),
});

/** How the turn continued the conversation; null until that was decided. */
export const turnStartSchema = z.object({
  mode: z.enum(['fresh', 'resume', 'transcript', 'refuse']),
  reason: z.string().meta({ description: 'Code of the reason, such as `CONTEXT_PRESSURE`.' }),
  sentence: z.string(),
  /** The conversation could not be continued at run time, so the turn ran again from the transcript. */
  isFallback: z.boolean(),
  /** False where the process could not be started, so no agent has read anything. */
  isSent: z.boolean(),
});

export const turnDtoSchema = z.object({
  id: z.string(),
  conversationId: z.string(),
  /** From 1. */
  position: z.number().int(),
  session: z.object({ id: z.string(), number: z.number().int(), lastSeq: z.number().int() }),
  agent: z.string().meta({ description: 'Name of the agent that it was sent to.' }),
  model: z.string(),
  author: z.string(),
  message: z.string().meta({ description: 'What was sent to the agent.' }),
  answer: z.string().nullable().meta({ description: 'Markdown; null while there is none.' }),
  status: sessionStatusSchema,
  /** One sentence: what it waits for, or how it ended. */
  statusText: z.string(),
  forceFresh: z.boolean().meta({
    description: 'Don’t resume the conversation: the agent starts from the full transcript.',
  }),
  start: turnStartSchema.nullable(),
  /**
   * The agent went silent and the turn continued in another process: what happened, in sentences.
   * Null: it didn't.
   */
  continued: z.string().nullable(),
  usage: turnUsageSchema,
  contextTokens: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'Tokens in the agent’s context after its last request.' }),
  contextWindow: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'Size of the agent’s context window, in tokens.' }),
  questions: z.array(questionDtoSchema),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  durationMs: z.number().int().nullable(),
  /** Taken out of the history by an edit, a retry or a cut. */
  cutAt: z.string().nullable(),
  cutBy: z.string().nullable(),
  /** Who stopped the answer; null where nobody did. */
  stoppedBy: z.string().nullable(),
});
export type TurnDto = z.infer<typeof turnDtoSchema>;

export const conversationPhaseSchema = z.enum(['idle', 'waiting', 'answering', 'asking']);

export const conversationDtoSchema = z.object({
  id: z.string(),
  project: projectRefSchema.meta({ description: 'The project it is about.' }),
  chain: z
    .object({ id: z.string(), number: z.number().int() })
    .nullable()
    .meta({ description: 'The chain it is about, or null.' }),
  title: z.string().meta({ description: 'Title shown in lists, on one line.' }),
  createdBy: z.string(),
  createdAt: z.string(),
  lastTurnAt: z.string(),
  /** In the history, cut ones left out. */
  turns: z.number().int(),
  /** A turn of it waits or runs. */
  isBusy: z.boolean(),
  /** waiting: for a runner. answering: an agent is working on it. asking: the agent waits for an answer. */
  phase: conversationPhaseSchema,
  /** Of all turns, cut ones too; null while none has reported its usage. */
  costUsd: z.number().nullable(),
});
export type ConversationDto = z.infer<typeof conversationDtoSchema>;

export const conversationDetailSchema = conversationDtoSchema.extend({
  agents: z.array(askAgentSchema),
  /** The agent that a turn gets which names none. */
  nextAgent: z.string(),
});
export type ConversationDetail = z.infer<typeof conversationDetailSchema>;
