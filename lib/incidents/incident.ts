/** An incident and what happens to it, as the rules see them. */
import { z } from 'zod';
import type { ResultStatus } from '@/lib/monitoring/check-state';
import type { ServiceChange } from '@/lib/monitoring/domain-events';
import type { SignalSeverity, SignalStatus } from '@/lib/signals/schema';
import type { Joining } from './merge';
import type { FiringSignals, IncidentSignals } from './signals-of-incident';
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

/** An alert as an event quotes it. Title and source are text of others. */
export interface QuotedSignal {
  /** UUID. */
  alertId: string;
  title: string;
  /** Name of its source. */
  source: string;
  status: SignalStatus;
  severity: SignalSeverity;
  /** The project's service that it is about; null if it names none. */
  service: string | null;
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
      /** Absent unless a chain found it, with `isReported`: its agent says so, and no check does. */
      chainId?: string;
      isReported?: boolean;
      /** That chain ended so that only people can continue. */
      needsHuman?: boolean;
    }
  | { kind: 'service_recovered'; serviceId: string; chainId?: string; isReported?: boolean }
  | { kind: 'service_unknown'; serviceId: string }
  /** Nothing checks it from now on: it, its checks or the project's monitoring was removed. */
  | { kind: 'service_removed'; serviceId: string }
  /** `more`: alerts that aren't quoted. `firing`: what fires in the incident from then on. */
  | {
      kind: 'alert_firing';
      alerts: readonly QuotedSignal[];
      more: number;
      severity: IncidentSeverity;
      services: readonly { serviceId: string; name: string }[];
      sources: readonly string[];
      /** At least one of them names no service of the project. */
      hasOther: boolean;
      /**
       * When the first of them began, as its source says, and when the last of them began: at most 5 minutes
       * before it was received, in case that source's clock is behind.
       */
      startedAt: string;
      newestAt: string;
      firing: FiringSignals;
    }
  /** `isUnknown`: nothing is received about one of them any longer, and no check covers it. */
  | {
      kind: 'alert_ended';
      alerts: readonly QuotedSignal[];
      more: number;
      firing: FiringSignals;
      isUnknown: boolean;
    }
  /**
   * No alert has fired for the whole window, and there is nothing to check; with `isFinding`, chains have found
   * services healthy that no check watches.
   */
  | { kind: 'alerts_quiet'; isFinding?: boolean }
  | { kind: 'chain_started'; chainId: string }
  /** `recheckMs`: how long checks may need to notice a fix. Older events have none of the last three. */
  | {
      kind: 'chain_ended';
      chainId: string;
      outcome: string;
      text: string;
      startedAt?: string;
      /** Null: no check will notice one. */
      recheckMs?: number | null;
      /** The chain's own checks found everything that fails to be healthy since the look was due. */
      isCovered?: boolean;
    }
  /**
   * The agent couldn't be started, or isn't to be: `text` says why. `isRetried`: the reason passes, and
   * the look stays due.
   */
  | { kind: 'look_refused'; text: string; isRetried?: boolean }
  /** `unproven`: the verification took too long, because these checks give no proof. */
  | { kind: 'needs_human'; unproven?: readonly UnprovenCheck[] }
  | { kind: 'acknowledged'; by: string; endsAt: string | null; note: string }
  /** `by` null: its time was over. */
  | { kind: 'acknowledgement_ended'; by: string | null }
  | { kind: 'silenced'; by: string; endsAt: string | null; note: string }
  /** `by` null: its time was over. */
  | { kind: 'silence_ended'; by: string | null }
  | { kind: 'verified' }
  | { kind: 'resolved'; by: string; note: string }
  /** It is part of another incident from then on. */
  | { kind: 'merged'; by: string; note: string; into: IncidentReference }
  /**
   * Another incident was merged into it. `isNeedKnown`: people had been notified if that one needed a human.
   * `isChainAtWork`: a chain looks at either.
   */
  | {
      kind: 'joined';
      by: string;
      note: string;
      from: IncidentReference;
      isNeedKnown: boolean;
      isChainAtWork: boolean;
      joining: Joining;
    };

/** `incidentId` is a UUID. */
export interface IncidentReference {
  incidentId: string;
  number: number;
}

/** What others learn of. */
export const INCIDENT_NOTICES = [
  'opened',
  'needs_human',
  'acknowledged',
  'verifying',
  /** The end of a verification that nothing proved: something fails, or can't be checked. */
  'verification_failed',
  'resolved',
  'merged',
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

/** Returns the services that are still part of an incident. */
export function presentServices({ services }: Pick<Incident, 'services'>): AffectedService[] {
  return services.filter(({ removedAt }) => removedAt === null);
}
