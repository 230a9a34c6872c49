/** The list of chains as people filter and page through it. */
import { z } from 'zod';
import { chainItemSchema, chainOutcomeSchema } from '../view/schema';

/** An outcome, or `moving` for every chain that has not ended. */
export const chainStateFilterSchema = z.enum(['moving', ...chainOutcomeSchema.options]);
export type ChainStateFilter = z.infer<typeof chainStateFilterSchema>;

/** What the next look at the services said about a reported fix. */
export const fixStandingSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unconfirmed') }),
  z.object({ kind: z.literal('confirmed'), by: z.number().int() }),
  z.object({ kind: z.literal('came_back'), in: z.number().int() }),
]);
export type FixStanding = z.infer<typeof fixStandingSchema>;

export const listedChainSchema = chainItemSchema.extend({
  /** Null unless the outcome is fixed. */
  fix: fixStandingSchema.nullable(),
});
export type ListedChain = z.infer<typeof listedChainSchema>;

export const HOP_FILTERS = ['any', 'resume', 'handoff', 'fallback'] as const;
export type HopFilter = (typeof HOP_FILTERS)[number];

export interface ChainQuery {
  /** `prj_…` or slug; every project of the organization without it. */
  project?: string | undefined;
  state?: ChainStateFilter | undefined;
  /** The highest tier that it reached. */
  tier?: number | undefined;
  service?: string | undefined;
  trigger?: string | undefined;
  /** Created at or after. */
  since?: Date | undefined;
  /** Created before. */
  until?: Date | undefined;
  /** With a session that followed another one in this way. */
  hop?: HopFilter | undefined;
  /** Why a hop was decided so: `CONTEXT_PRESSURE`. */
  reason?: string | undefined;
  /** `chn_…` of a chain: the ones older or newer than it. */
  before?: string | undefined;
  after?: string | undefined;
  limit: number;
}

export interface ChainPage {
  data: ListedChain[];
  /** `chn_…` to give as `before` and `after`; null at that end. */
  olderThan: string | null;
  newerThan: string | null;
  /** Of the projects looked at, for the filter; in their order. */
  services: string[];
}
