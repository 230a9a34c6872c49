/** Incidents as their figures see them. Ids are UUIDs. */
import { z } from 'zod';

/** A fix that a chain reported in an incident, and what settled it. */
export interface ReportedFix {
  incidentId: string;
  chainId: string;
  /** The kind of the first later event that says something about it; null if there is none. */
  settledBy: string | null;
  settledAt: Date | null;
  /** When the last service had recovered, or the last alert had ended, before that. */
  recoveredAt: Date | null;
  /** Whether the same fault came back within a day of the recovery. */
  isBack: boolean;
}

export const incidentRowSchema = z.object({
  id: z.string(),
  state: z.string(),
  /** INCIDENT_RESOLUTIONS, or one that the figures don't know yet; null unless it is resolved. */
  resolution: z.string().nullable(),
  /** The first failure. */
  startedAt: z.date(),
  openedAt: z.date(),
  /** Since when everything was well, if it is. */
  verifyingSince: z.date().nullable(),
  /** Whether its verification began because nothing checked a service anymore. */
  isWellByRemoval: z.boolean(),
  resolvedAt: z.date().nullable(),
  fixChainId: z.string().nullable(),
  /** Services that checks or alerts reported. */
  services: z.array(z.object({ serviceId: z.string(), name: z.string() })),
  /** Chains that looked at it or acted on it. */
  chainIds: z.array(z.string()),
});

export interface IncidentFacts extends z.infer<typeof incidentRowSchema> {
  /** When somebody acknowledged it for the first time. */
  acknowledgedAt: Date | null;
  /** When it was over for the first time: its proven recovery, or when a person resolved it. */
  endedAt: Date | null;
  /** Services that failed again within a day of that end. */
  backServiceIds: readonly string[];
  /** Whether any of its services or alerts failed again within that day. */
  isBack: boolean;
  /** In the order of the reports. */
  fixes: readonly ReportedFix[];
}

export const chainFactsSchema = z.object({
  id: z.string(),
  /** Null while it runs. */
  outcome: z.string().nullable(),
  highestTier: z.number(),
  /** The model of its highest tier; null if no session has one. */
  model: z.string().nullable(),
  /** Rules of the commands that changed something, or names of actions; none if nothing is recorded. */
  actions: z.array(z.string()),
  /** Micro-dollars of the ledger; null if nothing was booked. */
  costMicros: z.coerce.number().nullable(),
  isCostEstimated: z.boolean(),
});
export type ChainFacts = z.infer<typeof chainFactsSchema>;
