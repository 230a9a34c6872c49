/** What the home page and a project's dashboard are computed from. Times are Dates, money micro-dollars. */

import type { ServiceSpan } from '@/lib/monitoring/service-spans';
import type { OpenWindow } from '@/lib/projects/maintenance/schema';
import type { ChainFacts, FailingRow, ProjectRow } from './rows';

export type ServiceStatus = 'healthy' | 'degraded' | 'down' | 'unknown';

export interface Pause {
  at: Date;
  by: string;
  reason: string;
  /** When it ends automatically; null: when someone resumes. */
  endsAt: Date | null;
}

/** A service whose last check failed, with its outage. */
export interface FailingService
  extends Omit<FailingRow, 'failingSince' | 'snoozedUntil' | 'snoozedBy'> {
  /** The first failed check of the outage. */
  since: Date | null;
  snooze: { until: Date; by: string } | null;
}

/** Up to so many chains of an outage are counted; more show as `100+`. */
export const OUTAGE_CHAINS = 100;

/** One project as a row of the home page; everything in the shell comes from it, too. */
export interface ProjectFacts
  extends Omit<
    ProjectRow,
    | ('pausedAt' | 'pausedBy' | 'pauseReason' | 'pauseEndsAt' | 'maintenance' | 'failing')
    | ('dayUsd' | 'monthUsd' | 'earlierVerdict' | ServiceStatus)
  > {
  pause: Pause | null;
  /** The maintenance window that is open now; null outside of every window. */
  maintenance: OpenWindow | null;
  dayLimitMicros: number | null;
  monthLimitMicros: number | null;
  services: Record<ServiceStatus, number>;
  /** Those that are down or degraded, in the order of the configuration. */
  failing: FailingService[];
  /** The newest chain that came to an end by itself: not skipped, not stopped by a person. */
  lastVerdict: ChainFacts | null;
}

export interface RunnerFacts {
  /** UUID. */
  id: string;
  name: string;
  pool: string;
  lastSeenAt: Date | null;
  /** It takes new work. */
  isOnline: boolean;
  /** It reports, whether or not it takes new work. */
  isConnected: boolean;
  /** It connected once and should be there: neither revoked nor drained. */
  isMissed: boolean;
}

interface OrganizationFacts {
  name: string;
  isDemo: boolean;
  pause: Pause | null;
}

/** Everything about an organization that its home page and the frame around every page show. */
export interface Overview {
  now: Date;
  organization: OrganizationFacts;
  /** Those in trouble first: by the worst state, then by the first failure; then by name. */
  projects: ProjectFacts[];
  /** Not the revoked ones. */
  runners: RunnerFacts[];
  /** CLAUDEOPS_DRY_RUN: no project of the installation escalates. */
  isDryRunForced: boolean;
  /** CLAUDEOPS_RESUME_CONTEXT_THRESHOLD, which stands above every project's own; null without one. */
  thresholdOverride: number | null;
}

/** One chain in a service's strip. */
export interface HealthCell {
  chainNumber: number;
  /** The worst that the chain found; `unknown` when it didn't check the service. */
  state: ServiceStatus;
  recovery: Recovery | null;
  at: Date;
}

/** How a chain left a service healthy that it found failing: a tier that may repair ran, or none did. */
export type Recovery = { kind: 'repaired'; tier: number } | { kind: 'recovered' };

/** A column of a strip by the service's own checks. */
export interface TimeCell {
  label: string;
  from: Date;
  /** The worst that it was in this time; `unknown` if no check had a result. */
  state: ServiceStatus;
  /** How much of the time so far is known: 0 to 1. */
  knownShare: number;
  /** `down for 4m 10s, unknown for 12m 00s`. */
  words: string;
}

export interface ServiceFacts {
  name: string;
  status: ServiceStatus;
  statusSince: Date | null;
  /** The first failed check of the current outage; null outside of one. */
  failingSince: Date | null;
  lastCheckedAt: Date | null;
  lastError: string;
  /** Of its slowest check, by the last results or in the last chain; null when it failed or nothing was timed. */
  latencyMs: number | null;
  snoozedUntil: Date | null;
  /** What it was over the last 24 hours, by its own checks. Null if it has none that run without an agent. */
  past: ServiceSpan[] | null;
  /** Results of the newest chains, oldest first; empty if the service has checks of its own. */
  cells: HealthCell[];
}
