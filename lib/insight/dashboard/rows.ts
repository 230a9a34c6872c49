/** Projects as one query reads them. Times are Dates, money micro-dollars. */
import { z } from 'zod';
import { incidentStateSchema } from '@/lib/incidents/states';
import { maintenanceSchema } from '@/lib/projects/maintenance/schema';
import { harnessNameSchema, tierSchema } from '@/lib/protocol/spec';

/** The newest chain, moving or ended. */
const chainSchema = z.object({
  /** UUID. */
  id: z.string(),
  number: z.number(),
  status: z.string(),
  /** Null while it moves. */
  outcome: z.string().nullable(),
  /** Code of the outcome's reason: `MAX_TIER`. */
  outcomeReason: z.string().nullable(),
  statusText: z.string(),
  highestTier: z.number(),
  createdAt: z.coerce.date(),
  endedAt: z.coerce.date().nullable(),
  acknowledgedBy: z.string().nullable(),
  /** State of the newest incident that it is about; null for none. */
  incidentState: incidentStateSchema.nullable(),
  servicesAffected: z.array(z.string()),
});
export type ChainFacts = z.infer<typeof chainSchema>;

/** An incident that isn't resolved. */
const incidentSchema = z.object({
  number: z.number(),
  state: incidentStateSchema.exclude(['resolved']),
  /** Since when people have to act; null while they needn't. */
  needsHumanSince: z.coerce.date().nullable(),
  acknowledgedBy: z.string().nullable(),
  /** All of its unhealthy services are snoozed. */
  isSnoozed: z.boolean(),
});
export type IncidentFacts = z.infer<typeof incidentSchema>;

/** Someone works on an outage. One of the numbers is null. */
const acknowledgedSchema = z.object({
  by: z.string(),
  chainNumber: z.number().nullable(),
  incidentNumber: z.number().nullable(),
});
export type Acknowledged = z.infer<typeof acknowledgedSchema>;

const failingSchema = z.object({
  name: z.string(),
  status: z.enum(['down', 'degraded']),
  /** Since when it is as bad as it is: later than the outage when it was degraded before it was down. */
  statusSince: z.coerce.date().nullable(),
  failingSince: z.coerce.date().nullable(),
  error: z.string(),
  snoozedUntil: z.coerce.date().nullable(),
  snoozedBy: z.string().nullable(),
  /** Chains of this outage, the one that found it included; at most OUTAGE_CHAINS are counted. */
  chains: z.number(),
  /** Who acknowledged a chain or the incident of this outage, and which of the two. */
  acknowledged: acknowledgedSchema.nullable(),
});
export type FailingRow = z.infer<typeof failingSchema>;

export const projectRowSchema = z.object({
  /** UUID. */
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  version: z.number(),
  nextRunAt: z.date().nullable(),
  /** Its schedule is enabled, and has no next run. */
  hasLostSchedule: z.boolean(),
  pausedAt: z.date().nullable(),
  pausedBy: z.string().nullable(),
  pauseReason: z.string().nullable(),
  pauseEndsAt: z.date().nullable(),
  /** The lowest tier first. */
  tierPauses: z.array(
    z.object({
      tier: tierSchema,
      at: z.coerce.date(),
      by: z.string(),
      reason: z.string(),
      endsAt: z.coerce.date().nullable(),
    }),
  ),
  /** Every window of the configuration. */
  maintenance: maintenanceSchema,
  harness: harnessNameSchema,
  isDryRun: z.boolean(),
  pool: z.string(),
  /** Tier 1 or 2 still has a default rule of an earlier version that lets it read or reach too much. */
  hasLeakingRules: z.boolean(),
  /** Its checks run without an agent. */
  isMonitored: z.boolean(),
  /** Not all of its checks are heartbeats, which need no runner. */
  needsRunner: z.boolean(),
  /** UUID of the runner that was given its checks; null for none. */
  checkerId: z.string().nullable(),
  /** The worst that isn't resolved: one that needs a human, then by state; null for none. */
  incident: incidentSchema.nullable(),
  dayUsd: z.number().nullable(),
  monthUsd: z.number().nullable(),
  /** Of the UTC day and month, as budgets count. */
  dayMicros: z.number(),
  monthMicros: z.number(),
  last24hMicros: z.number(),
  healthy: z.number(),
  degraded: z.number(),
  down: z.number(),
  unknown: z.number(),
  /** The name of the service of a project that has one; null with none or several. */
  onlyService: z.string().nullable(),
  failing: z.array(failingSchema),
  lastChain: chainSchema.nullable(),
  /** The newest that came to an end by itself, where that is not the last one. */
  earlierVerdict: chainSchema.nullable(),
});
export type ProjectRow = z.infer<typeof projectRowSchema>;
