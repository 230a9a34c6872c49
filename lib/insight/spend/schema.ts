import { z } from 'zod';
import type { AttemptEnd } from '@/lib/agents/attempt-end';
import { ASK_TIER } from '@/lib/engine/statuses';
import { tierSchema } from '@/lib/protocol/spec';

export const SPEND_GROUPS = ['day', 'project', 'tier', 'model', 'session'] as const;
const spendGroupSchema = z.enum(SPEND_GROUPS);
export type SpendGroup = z.infer<typeof spendGroupSchema>;

const spendTierSchema = z.union([z.literal(ASK_TIER), tierSchema]);

export const SPEND_KINDS = ['work', 'overhead'] as const;
export type SpendKind = (typeof SPEND_KINDS)[number];

/** The span's end isn't included. */
export type SpendQuery = Omit<UsageQuery, 'from' | 'to'> & { from: Date; to: Date };

/** A sum over rows of the ledger. Money is micro-dollars. */
export interface SpendRow {
  /** `2026-11-21`, a project's UUID, `2`, a model, a session's UUID. */
  key: string;
  /** `Checkout`, `Checkout (deleted 22 Nov)`, `Checkout · Session #19`; the key itself for a day or a model. */
  label: string;
  /** Slug; null for another grouping and for a deleted project. */
  project: string | null;
  /** Of a session: its number. */
  number: number | null;
  /** Of the ledger; null where only the sum of a day was kept. */
  entries: number | null;
  tokens: number;
  micros: number;
  /** The part that is an estimate. */
  estimateMicros: number;
}

export interface SpendSums {
  entries: number;
  tokens: number;
  micros: number;
  estimateMicros: number;
}

/** Processes that ran and ended without reporting their usage. */
export interface MissingUsage {
  end: string;
  count: number;
}

export interface SpendPage {
  rows: SpendRow[];
  /** What the rows above the limit come to; null when all are shown. */
  rest: (SpendSums & { rows: number }) | null;
  /** Over the whole filter: the sum of the rows, the rest included. */
  total: SpendSums;
  missing: MissingUsage[];
  /** To choose from. */
  models: string[];
}

export const usageDtoSchema = z.object({
  from: z.string(),
  to: z.string(),
  groupBy: spendGroupSchema,
  data: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      entries: z.number().int().nullable(),
      tokens: z.number().int(),
      costUsd: z.number(),
      /** The part that is estimated. */
      estimatedUsd: z.number().meta({
        description: 'The part that is estimated, in US dollars: the process reported no figure.',
      }),
    }),
  ),
  /** What more groups than are listed come to; null when all are. */
  rest: z.object({ groups: z.number().int(), costUsd: z.number() }).nullable(),
  totalCostUsd: z
    .number()
    .meta({ description: 'US dollars of all sessions, attempts that failed included.' }),
  totalTokens: z.number().int(),
  estimatedUsd: z.number().meta({
    description: 'The part that is estimated, in US dollars: the process reported no figure.',
  }),
  /** Processes that ended without reporting what they used; their cost is in no row. */
  attemptsWithoutUsage: z.number().int(),
});
export type UsageDto = z.infer<typeof usageDtoSchema>;

const moment = z.iso.datetime({ offset: true }).or(z.iso.date());

/** `from` is 30 days ago without it, `to` (not included) is now. */
export const usageQuerySchema = z.object({
  from: moment.optional(),
  to: moment.optional(),
  groupBy: spendGroupSchema.default('day'),
  /** Id or slug; every project, deleted ones too, without it. */
  project: z.string().optional(),
  /** 0: answers to operators. */
  tier: z.coerce.number().pipe(spendTierSchema).optional(),
  model: z.string().max(200).optional(),
  kind: z.enum(SPEND_KINDS).optional().meta({
    description:
      'Only what brought a tier forward (`work`), or only checks after a loss and unfinished attempts (`overhead`).',
  }),
});
type UsageQuery = z.output<typeof usageQuerySchema>;

/** Ends of processes that had never been answered by a model: nothing was spent, nothing is missing. */
export const ENDS_WITHOUT_COST: readonly AttemptEnd[] = [
  'start_failed',
  'resume_rejected',
  'work_dir_changed',
  'transcript_changed',
  'seal_unavailable',
  'agent_changed',
  'auth',
  'rate_limited',
  'overloaded',
  'unreachable',
  'bad_request',
];
