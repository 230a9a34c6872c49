/** Incidents as their figures see them. Ids are UUIDs. */
import { z } from 'zod';

/** What is read of an event, whatever else it says. */
export const figureEventSchema = z.looseObject({
  kind: z.string(),
  serviceId: z.string().optional(),
  /** ISO 8601. */
  failingSince: z.string().optional(),
  chainId: z.string().optional(),
  outcome: z.string().optional(),
});

export interface FigureEvent extends z.infer<typeof figureEventSchema> {
  at: Date;
}

export interface IncidentFacts {
  id: string;
  state: string;
  resolution: string | null;
  /** The first failure. */
  startedAt: Date;
  openedAt: Date;
  /** Since when everything was well, if it is. */
  verifyingSince: Date | null;
  resolvedAt: Date | null;
  fixChainId: string | null;
  /** The incident before it of the same service. */
  earlierId: string | null;
  services: readonly { serviceId: string; name: string }[];
  /** In order. */
  events: readonly FigureEvent[];
  /** Chains that looked at it or acted on it. */
  chainIds: readonly string[];
}

export interface ChainFacts {
  id: string;
  /** Null while it runs. */
  outcome: string | null;
  highestTier: number;
  /** The model of its highest tier; null if no session has one. */
  model: string | null;
  /** Rules of the commands that changed something, or names of actions; none if nothing is recorded. */
  actions: readonly string[];
  /** Micro-dollars of the ledger; null if nothing was booked. */
  costMicros: number | null;
  isCostEstimated: boolean;
}
