/** Figures of incidents, on the page and in the REST API. Durations are seconds, times ISO 8601 in UTC, money US dollars. */
import { z } from 'zod';
import { momentSchema } from '@/lib/platform/http/moment';

const small = z.boolean().meta({ description: 'Whether fewer than 5 cases are behind it.' });

const spreadSchema = z
  .object({
    incidents: z.number().int().meta({ description: 'How many incidents are behind it.' }),
    p50Seconds: z.number().meta({ description: 'The median, in seconds.' }),
    p90Seconds: z.number().meta({ description: 'The 90th percentile, in seconds.' }),
    isSmall: small,
  })
  .nullable();

const count = z.number().int();

const fixesSchema = z.object({
  chains: count.meta({
    description: 'Chains of incidents that reached tier 2 or 3, or that reported a fix.',
  }),
  reported: count.meta({ description: 'Fixes that they reported.' }),
  proven: count.meta({
    description:
      'The checks passed for the whole verification, and within 24 h neither they nor an alert reported the same service again.',
  }),
  recurred: count.meta({
    description:
      'Within 24 h after the recovery, the same service failed again, or a new alert fired.',
  }),
  failed: count.meta({
    description:
      'Checks kept failing or failed during the verification, a new alert fired during it, or another chain or a person was needed.',
  }),
  pending: count.meta({ description: 'Still being verified.' }),
  unproven: count.meta({
    description:
      'Undecided: the incident ended in another way first, such as by a person, or its recovery isn’t credited to the fix.',
  }),
  provisional: count.meta({
    description: 'The part of `proven` that recovered less than 24 h ago.',
  }),
  provenRate: z.number().nullable().meta({
    description:
      'Proven of all that proved, recurred or failed, 0 to 1; null while there are none.',
  }),
  costUsd: z.number().nullable().meta({
    description: 'What the chains have cost, summed over the ledger; null if nothing was booked.',
  }),
  isCostEstimated: z.boolean(),
  unbookedChains: count.meta({ description: 'Chains without a booked cost, which it lacks.' }),
  costPerProvenFixUsd: z.number().nullable().meta({
    description: 'What the chains have cost for each proven fix; null if there is none.',
  }),
  isSmall: small,
});

export const incidentFiguresDtoSchema = z.object({
  from: z.string(),
  to: z.string(),
  isCut: z.boolean().meta({
    description: 'Whether only the newest 2,000 incidents of the range are counted.',
  }),
  incidents: count.meta({
    description: 'Incidents that were opened in the range, without those merged into another.',
  }),
  unresolved: count.meta({ description: 'The part that isn’t resolved.' }),
  resolvedByPerson: count.meta({
    description: 'The part that a person resolved: their recovery isn’t proven.',
  }),
  acknowledged: count.meta({ description: 'The part that was acknowledged at least once.' }),
  timeToDetect: spreadSchema.meta({
    description: 'From the first failed check to the opening; null without incidents.',
  }),
  timeToAcknowledge: spreadSchema.meta({
    description: 'From the first failed check to the first acknowledgement; null if there is none.',
  }),
  timeToFix: spreadSchema.meta({
    description:
      'From the first failed check to the recovery that the checks then proved, reopenings included; null if none is proven. A recovery that began when a service was removed is left out.',
  }),
  leftOut: z
    .object({
      merged: count.meta({ description: 'Merged into another incident: not counted at all.' }),
      reported: count.meta({
        description: 'Only the sources of their alerts say that they are over: not a fix.',
      }),
      removed: count.meta({ description: 'Nothing checks their services anymore: not a fix.' }),
      otherwise: count.meta({ description: 'Ended in another way: not a fix.' }),
      wellByRemoval: count.meta({
        description: 'Verified because a service left: without a time to fix.',
      }),
    })
    .meta({ description: 'Incidents that some figures leave out.' }),
  fixes: fixesSchema,
  fixesByTier: z.array(
    fixesSchema.extend({
      tier: count.meta({ description: 'The highest tier that the chains reached.' }),
    }),
  ),
  fixesByAction: z.array(
    fixesSchema.extend({
      action: z.string().nullable().meta({
        description:
          'The rule of a command that changed something, or the name of an action; null where nothing is recorded. A fix with several counts for each.',
      }),
    }),
  ),
  fixesByModel: z.array(
    fixesSchema.extend({
      model: z.string().nullable().meta({ description: 'The model of the highest tier.' }),
    }),
  ),
  recurrence: z
    .object({
      ended: count.meta({ description: 'Incidents that are over.' }),
      recurred: count.meta({
        description: 'Those of which a service failed again, or a new alert fired, within 24 h.',
      }),
      undecided: count.meta({ description: 'Those that ended less than 24 h ago.' }),
      rate: z.number().nullable().meta({
        description: 'Recurred of the decided ones, 0 to 1; null if there are none.',
      }),
      isSmall: small,
    })
    .meta({ description: 'How often the same service failed again within 24 h.' }),
  recurringServices: z
    .array(z.object({ name: z.string(), incidents: count, recurred: count }))
    .meta({ description: 'Services that failed again, most often first.' }),
});
export type IncidentFiguresDto = z.infer<typeof incidentFiguresDtoSchema>;
export type IncidentFigures = Omit<IncidentFiguresDto, 'from' | 'to' | 'isCut'>;
/** How long something took, over some incidents; null without any. */
export type Spread = z.infer<typeof spreadSchema>;
/** Fixes of all chains, or of one tier, action or model. */
export type FixFigures = z.infer<typeof fixesSchema>;

export const incidentFiguresQuerySchema = z.object({
  /** Id or slug. */
  project: z.string().optional(),
  from: momentSchema.optional().meta({
    description: 'Only incidents opened at this time or later; 30 days before `to` without it.',
  }),
  to: momentSchema.optional().meta({
    description: 'Only incidents opened before this time; now without it.',
  }),
});
export type IncidentFiguresQuery = z.infer<typeof incidentFiguresQuerySchema>;
