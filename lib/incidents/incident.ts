/** An incident and what happens to it, as the rules see them. */
import type { ResultStatus } from '@/lib/monitoring/check-state';
import type { ServiceChange } from '@/lib/monitoring/domain-events';
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
}

export interface Incident {
  state: IncidentState;
  source: IncidentSource;
  severity: IncidentSeverity;
  /** The first failure. */
  startedAt: Date;
  openedAt: Date;
  /** Null unless a person is working on it; `endsAt` null: without an end. */
  acknowledgement: { at: Date; by: string; endsAt: Date | null } | null;
  verifyingSince: Date | null;
  resolvedAt: Date | null;
  resolution: IncidentResolution | null;
  /** The person who said that it is over. */
  resolvedBy: string | null;
  reopenings: number;
  lastReopenedAt: Date | null;
  /** Since when people have to act; with the chain that led to it, by UUID. */
  needsHuman: { since: Date; chainId: string | null } | null;
  /** The chain that last reported a fix, by UUID. */
  fixChainId: string | null;
  /** When the agent should look. */
  lookDueAt: Date | null;
  /** When people have to act unless it is over by then. */
  humanDueAt: Date | null;
  services: readonly AffectedService[];
}

/** Ids are UUIDs. Everything is stored as JSON: times as ISO 8601. */
export type IncidentEvent =
  | {
      kind: 'service_failing';
      serviceId: string;
      name: string;
      status: FailingStatus;
      failingSince: string;
      error: string;
    }
  | { kind: 'service_recovered'; serviceId: string }
  | { kind: 'service_unknown'; serviceId: string }
  | { kind: 'chain_started'; chainId: string }
  | { kind: 'chain_ended'; chainId: string; outcome: string; text: string }
  /** The agent couldn't be started, or isn't to be: `text` says why. */
  | { kind: 'look_refused'; text: string }
  | { kind: 'needs_human' }
  | { kind: 'acknowledged'; by: string; endsAt: string | null; note: string }
  /** `by` null: its time was over. */
  | { kind: 'acknowledgement_ended'; by: string | null }
  | { kind: 'verified' }
  | { kind: 'resolved'; by: string; note: string };

/** What others learn of. */
export const INCIDENT_NOTICES = [
  'opened',
  'needs_human',
  'acknowledged',
  'verifying',
  'resolved',
  'reopened',
] as const;
export type IncidentNotice = (typeof INCIDENT_NOTICES)[number];

/** Returns what a change of a service means to an incident. */
export function eventOfChange(change: ServiceChange, now: Date): IncidentEvent {
  const { serviceId, name, status, failingSince, error } = change;
  if (status === 'healthy') return { kind: 'service_recovered', serviceId };
  if (status === 'unknown') return { kind: 'service_unknown', serviceId };
  const since = (failingSince ?? now).toISOString();
  return { kind: 'service_failing', serviceId, name, status, failingSince: since, error };
}
