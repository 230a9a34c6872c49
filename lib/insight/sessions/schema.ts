/** Sessions as they are shown. Ids are typed, times are ISO 8601 in UTC, money is US dollars. */

import { z } from 'zod';
import { LEDGER_SOURCES } from '@/lib/agents/booking';
import {
  attemptStatusSchema,
  decisionKindSchema,
  handoffSourceSchema,
  type SessionStatus,
  sessionKindSchema,
  sessionStatusSchema,
  waitReasonSchema,
} from '@/lib/engine/statuses';
import type { TwoWayEnds, TwoWayQuery } from '@/lib/platform/http/cursor';
import { projectRefSchema } from '@/lib/projects/view';
import { confinementStateSchema } from '@/lib/protocol/confinement';
import { attemptPurposeSchema, harnessNameSchema } from '@/lib/protocol/spec';

const time = z.string();
const tokens = z.number().int();

/** Enough to link to a session: `ses_…` and the number that people use. */
export const sessionRefSchema = z.object({
  id: z.string(),
  number: z.number().int(),
  tier: z.number().int(),
});

export const sessionItemSchema = sessionRefSchema.extend({
  project: projectRefSchema,
  chainId: z.string(),
  chainNumber: z.number().int(),
  status: sessionStatusSchema,
  /** One sentence: how it ended, or why it waits. */
  statusText: z.string(),
  waitReason: waitReasonSchema.nullable(),
  model: z.string(),
  /** fresh, resume or handoff: of the last attempt; null before the first. */
  mechanism: z.string().nullable(),
  /** The resume was rejected, and a handoff took its place. */
  fallback: z.boolean(),
  parentSessionId: z.string().nullable(),
  parent: sessionRefSchema.nullable(),
  child: sessionRefSchema.nullable(),
  cliSessionId: z.string().nullable(),
  turns: z.number().int(),
  costUsd: z.number(),
  /** Part of the cost is from a price table, since a process ended without saying it. */
  isCostEstimated: z.boolean(),
  createdAt: time,
  startedAt: time.nullable(),
  endedAt: time.nullable(),
  /** Null while it has not ended. */
  durationMs: z.number().int().nullable(),
});
export type SessionItem = z.infer<typeof sessionItemSchema>;

/** In a list of either kind: a tier's is of a chain, a turn's of a conversation. */
export const listedSessionSchema = sessionItemSchema.extend({
  kind: sessionKindSchema,
  chainId: z.string().nullable(),
  chainNumber: z.number().int().nullable(),
  /** `cnv_…`, and the turn's place in it; null for a tier's, and where it was deleted. */
  conversation: z.object({ id: z.string(), position: z.number().int() }).nullable(),
});
export type ListedSession = z.infer<typeof listedSessionSchema>;

const ledgerRowSchema = z.object({
  attemptId: z.string(),
  tier: z.number().int(),
  model: z.string(),
  inputTokens: tokens,
  outputTokens: tokens,
  cacheReadTokens: tokens,
  cacheWriteTokens: tokens,
  costUsd: z.number(),
  /** Where the figures come from; all but `metered` and `reported` are estimates, in whole or in part. */
  source: z.enum(LEDGER_SOURCES),
  isEstimate: z.boolean(),
  priceTable: z.string().nullable(),
  /** What the CLI itself says of requests that the runner's gateway has counted. */
  claimed: z
    .object({
      inputTokens: tokens,
      outputTokens: tokens,
      cacheReadTokens: tokens,
      cacheWriteTokens: tokens,
      /** US dollars. */
      costUsd: z.number().nullable(),
    })
    .nullable(),
  bookedAt: time,
});
export type LedgerRow = z.infer<typeof ledgerRowSchema>;

export const guardSchema = z.object({
  id: z.string(),
  name: z.string(),
  /**
   * `passed` and `stopped`: a comparison was made. `not_checked`: no fact was known, `unknown` says
   * why. `not_reached`: an earlier guard had stopped.
   */
  state: z.enum(['passed', 'stopped', 'not_checked', 'not_reached']),
  /** Of `state`: true where it passed, false where it stopped, null otherwise. */
  passed: z.boolean().nullable(),
  compared: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** Facts that were not known, each with the reason. */
  unknown: z.record(z.string(), z.string()),
});
export type GuardDto = z.infer<typeof guardSchema>;

export const contextUseSchema = z.object({
  usedTokens: tokens.nullable(),
  windowTokens: tokens,
  isWindowKnown: z.boolean(),
  share: z.number().nullable(),
  /** Of the whole conversation, summed over its requests; no guard reads it. */
  cumulativeTokens: tokens.nullable().default(null),
  threshold: z.number(),
  thresholdSource: z.enum(['project', 'installation']),
});

export const decisionSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  attemptId: z.string().nullable(),
  kind: decisionKindSchema,
  /** resume, handoff, escalate, finish, needs_human, … */
  verdict: z.string(),
  reason: z.string().meta({ description: 'Code of the reason, such as `CONTEXT_PRESSURE`.' }),
  sentence: z.string(),
  /** Of a continuation: the share of the window above which a hop hands off. */
  threshold: z.number().nullable(),
  context: contextUseSchema.nullable(),
  /** In evaluation order. */
  guards: z.array(guardSchema),
  /** Whatever else was compared. */
  facts: z.record(z.string(), z.unknown()),
  at: time,
});
export type DecisionDto = z.infer<typeof decisionSchema>;

export const handoffDtoSchema = z.object({
  /** The session that handed over. */
  fromSessionId: z.string(),
  toTier: z.number().int(),
  /** built by Tierwatch, or read from the agent's file. */
  source: handoffSourceSchema,
  /** schema_version 1. */
  payload: z.record(z.string(), z.unknown()),
  createdAt: time,
});
export type HandoffDto = z.infer<typeof handoffDtoSchema>;

/** Exactly what was started. Values of secrets are never in here. */
const startedCommandSchema = z.object({
  argv: z.array(z.string()).meta({ description: 'The exact command line that was started.' }),
  env: z.record(z.string(), z.string()),
  workDir: z.string(),
  configDir: z.string(),
  confinement: confinementStateSchema.meta({
    description:
      'Whether the agent ran in a sandbox: `confined`, `process_list_visible` (confined, but command lines of the host could be seen) or `none`.',
  }),
});

export const recoveredFromSchema = z.object({
  checkpointId: z.string(),
  /** The session that wrote it, and `#18.1`: that and its attempt. */
  sessionId: z.string(),
  sessionNumber: z.number().int(),
  label: z.string(),
  /** attempt: of this session; parent: of the previous session; project: of an earlier chain. */
  lineage: z.enum(['attempt', 'parent', 'project']),
  at: time,
  /** What the agent was given to read; null if the system prompt is no longer known. */
  section: z.string().nullable(),
});
export type RecoveredFrom = z.infer<typeof recoveredFromSchema>;

export const attemptSealSchema = z.object({
  /**
   * `secrets`, `too_large`: its runner sent none. `damaged`, `missing`: what a read has found. `none`:
   * nothing has arrived. The runner sends it after the result.
   */
  state: z.enum(['kept', 'secrets', 'too_large', 'damaged', 'missing', 'expired', 'none']),
  /** Of the conversation, and of what is stored. */
  bytes: z.number().int().nullable(),
  storedBytes: z.number().int().nullable(),
  keptUntil: time.nullable(),
});
export type AttemptSeal = z.infer<typeof attemptSealSchema>;

export const attemptSchema = z.object({
  id: z.string(),
  number: z.number().int(),
  purpose: attemptPurposeSchema,
  status: attemptStatusSchema,
  harness: harnessNameSchema.nullable(),
  /** fresh, resume or handoff; null before it was claimed. */
  mechanism: z.string().nullable(),
  /** Of a resume: the conversation that it continues. */
  parentCliSessionId: z.string().nullable(),
  cliSessionId: z.string().nullable(),
  cliVersion: z.string().nullable(),
  runner: z.object({ id: z.string(), name: z.string() }).nullable(),
  runnerPool: z.string().meta({ description: 'Pool whose runners may claim it.' }),
  argv: z
    .array(z.string())
    .nullable()
    .meta({ description: 'The exact command line that was started.' }),
  command: startedCommandSchema.nullable(),
  envNames: z.array(z.string()),
  prompt: z.string().nullable(),
  systemPrompt: z.string().nullable(),
  recovery: recoveredFromSchema.nullable().meta({
    description: 'The checkpoint included in the system prompt, or null.',
  }),
  checkpointRequestedAt: time.nullable().meta({
    description: 'When a checkpoint was requested that has not been written yet; otherwise null.',
  }),
  tools: z.array(z.string()).meta({ description: 'Tools the agent can see.' }),
  allowedTools: z
    .array(z.string())
    .meta({ description: 'Rules for what runs without asking, such as `Bash(docker ps:*)`.' }),
  disallowedTools: z.array(z.string()).meta({ description: 'Rules for what is always denied.' }),
  /** Null while it runs. `kind` is completed, resume_rejected, stalled, lost, … */
  exit: z
    .object({
      kind: z.string(),
      text: z.string(),
      code: z
        .number()
        .int()
        .nullable()
        .meta({ description: 'Exit code of the process; null when a signal ended it.' }),
      signal: z.string().nullable(),
    })
    .nullable()
    .meta({ description: 'How the process ended; null while it runs.' }),
  seal: attemptSealSchema.nullable().meta({
    description:
      'The encrypted copy of its conversation, with which another host can continue it; null while it runs.',
  }),
  turns: z.number().int().nullable(),
  contextTokens: tokens.nullable(),
  contextWindow: tokens
    .nullable()
    .meta({ description: 'Size of the model’s context window, in tokens.' }),
  /** Its result came under an old fencing number: kept, and deciding nothing. */
  isResultLate: z.boolean(),
  stopCause: z.string().nullable(),
  queuedAt: time,
  claimedAt: time.nullable(),
  startedAt: time.nullable(),
  endedAt: time.nullable(),
  costUsd: z.number(),
});
export type AttemptDto = z.infer<typeof attemptSchema>;

export const sessionDetailSchema = sessionItemSchema.extend({
  chainStatus: z.string(),
  chainOutcome: z.string().nullable(),
  /** Set when an operator discarded it: nothing is recovered from it. */
  discardedAt: time.nullable().meta({
    description: 'When an operator excluded it from recovery; otherwise null.',
  }),
  discardedBy: z.string().nullable(),
  /** The version of the configuration that its chain froze. */
  version: z.number().int(),
  attempts: z.array(attemptSchema),
  ledger: z.array(ledgerRowSchema),
  /** How the last attempt was started, and why. */
  decision: decisionSchema.nullable(),
  decisions: z.array(decisionSchema),
  /** reportSchema in lib/protocol/report.ts; null when none was handed in. */
  report: z.record(z.string(), z.unknown()).nullable(),
  /** What it handed to the next tier. */
  handoff: handoffDtoSchema.nullable(),
  /** What the tier before handed to it. */
  receivedHandoff: handoffDtoSchema.nullable(),
  contextUse: z
    .object({ usedTokens: tokens, windowTokens: tokens.nullable(), share: z.number().nullable() })
    .nullable(),
  /** Every session of the chain in order, this one among them. */
  chainSessions: z.array(sessionItemSchema),
  /** Sum over the chain. */
  chainCostUsd: z.number(),
  /** Sequence number of the newest event. */
  lastSeq: z.number().int(),
});
export type SessionDetail = z.infer<typeof sessionDetailSchema>;

export const sessionEventSchema = z.object({
  seq: z.number().int().meta({ description: 'Sequence number, without gaps.' }),
  /** Null for events of the control plane. */
  attemptId: z.string().nullable(),
  kind: z.string(),
  at: time,
  isLate: z.boolean().meta({
    description: 'It arrived with an outdated fencing token: stored, but not used for decisions.',
  }),
  payload: z.record(z.string(), z.unknown()).meta({
    description:
      'By kind. What the agent was denied: each `tool_result` with `denied`, and of a confined agent each `brokered` event with the phase `refused`, unless the code of its refusal is `approval_pending`: then a person has still to decide.',
  }),
});
export type SessionEventDto = z.infer<typeof sessionEventSchema>;

/** How a session followed another one of its chain; `fallback`: a handoff after a failed resume. */
export const HOP_FILTERS = ['any', 'resume', 'handoff', 'fallback'] as const;
export type HopFilter = (typeof HOP_FILTERS)[number];

/** A page is of chains: `chn_…` and their number. */
export interface SessionQuery extends TwoWayQuery {
  /** `prj_…` or slug; every project of the organization without it. */
  project?: string | undefined;
  status?: SessionStatus | undefined;
  tier?: number | undefined;
  /** `rnr_…` of a runner that took an attempt. */
  runner?: string | undefined;
  /** How an attempt ended: completed, resume_rejected, … */
  end?: string | undefined;
  /** That followed another session of its chain in this way. */
  hop?: HopFilter | undefined;
  /** Why it started so: `CONTEXT_PRESSURE`. */
  reason?: string | undefined;
  /** In the reason, the report's summary or the model; `#18` is the session's number. */
  text?: string | undefined;
  /** Created at or after. */
  since?: Date | undefined;
  /** Created before. */
  until?: Date | undefined;
}

/** The matching sessions of one chain, newest first. */
export interface SessionGroup {
  chainId: string;
  chainNumber: number;
  /** Of the whole chain, in micro-dollars. */
  chainCostMicros: number;
  isCostEstimated: boolean;
  /** Of the whole chain, matching or not. */
  sessionCount: number;
  sessions: SessionItem[];
}

export interface SessionPage extends TwoWayEnds {
  groups: SessionGroup[];
  /**
   * Over all matches, not the page. `count` stops one above what lists count to, and above that
   * nothing is summed: null.
   */
  total: { count: number; costMicros: number | null };
  /**
   * Of one project's list: numbers on this page that questions in Ask took, which are no rows of
   * it. `cnv_…` is null where the conversation was deleted.
   */
  askNumbers: { number: number; conversationId: string | null }[];
  /** For the filter. */
  runners: { id: string; name: string }[];
}
