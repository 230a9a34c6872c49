/** An incident and what happens to it, as the rules see them. */
import { z } from 'zod';
import type { ResultStatus } from '@/lib/monitoring/check-state';
import type { IncidentSignals } from './signals-of-incident';
import type {
  FailingStatus,
  IncidentResolution,
  IncidentSeverity,
  IncidentSource,
  IncidentState,
} from './states';

export interface AffectedService {
  /** UUID. */
  serviceId: string;
  name: string;
  /** As last known. */
  status: ResultStatus;
  worst: FailingStatus;
  /** The first failure. */
  failingSince: Date;
  /** Null unless it is healthy. */
  recoveredAt: Date | null;
  error: string;
  /** Whether it failed when its status was last known. */
  wasFailing: boolean;
  /** How often it failed again after a recovery, since the incident was opened or reopened. */
  relapses: number;
  /** When it left the incident: it or its checks were removed, or another incident took it over. */
  removedAt: Date | null;
}

const unprovenCheckSchema = z.object({
  /** UUID. */
  serviceId: z.string(),
  service: z.string(),
  /** `http` */
  type: z.string(),
});
/** A check without which nothing proves that its service is well. */
export type UnprovenCheck = z.infer<typeof unprovenCheckSchema>;
export const unprovenChecksSchema = z.array(unprovenCheckSchema);

export interface Incident {
  state: IncidentState;
  source: IncidentSource;
  severity: IncidentSeverity;
  /** The first failure. */
  startedAt: Date;
  openedAt: Date;
  /** Null unless a person is working on it; `endsAt` null: without an end. */
  acknowledgement: { at: Date; by: string; endsAt: Date | null } | null;
  /** Null unless people get no messages about it; `endsAt` null: until it is resolved. */
  silence: { by: string; endsAt: Date | null } | null;
  verifyingSince: Date | null;
  resolvedAt: Date | null;
  resolution: IncidentResolution | null;
  /** The person who said that it is over, or merged it. */
  resolvedBy: string | null;
  /** The incident that took it over, by UUID. */
  mergedIntoId: string | null;
  reopenings: number;
  lastReopenedAt: Date | null;
  /** Since when people have to act; with the chain that led to it, by UUID. */
  needsHuman: { since: Date; chainId: string | null } | null;
  /** Nothing is known to fail, but these checks have given no proof for so long; null otherwise. */
  unproven: readonly UnprovenCheck[] | null;
  /** The chain whose reported fix may be why it recovers, or why it recovered, by UUID. */
  fixChainId: string | null;
  /** When the agent should look. */
  lookDueAt: Date | null;
  /** When people have to act unless it is over by then. */
  humanDueAt: Date | null;
  services: readonly AffectedService[];
  /** What alerts of other systems report; null without any. */
  alerts: IncidentSignals | null;
}

/** Returns the services that are still part of an incident. */
export function presentServices({ services }: Pick<Incident, 'services'>): AffectedService[] {
  return services.filter(({ removedAt }) => removedAt === null);
}

export function serviceOf({ services }: Incident, id: string): AffectedService | undefined {
  return services.find(({ serviceId }) => serviceId === id);
}

export function earliest<Time extends Date | null>(one: Time, other: Time): Time {
  return one === null || (other !== null && other < one) ? other : one;
}

export function latest<Time extends Date | null>(one: Time, other: Time): Time {
  return one === null || (other !== null && other > one) ? other : one;
}
