/** What the home page and a project's dashboard are computed from. Times are Dates, money micro-dollars. */

import type { IncidentState } from '@/lib/incidents/states';
import type { ServiceSpan } from '@/lib/monitoring/service-spans';
import type { OpenWindow } from '@/lib/projects/maintenance/schema';
import type { HarnessName, Tier } from '@/lib/protocol/spec';

export type ServiceStatus = 'healthy' | 'degraded' | 'down' | 'unknown';

export interface Pause {
  at: Date;
  by: string;
  reason: string;
  /** When it ends automatically; null: when someone resumes. */
  endsAt: Date | null;
}

/** Someone works on an outage. One of the numbers is null. */
export interface InHand {
  by: string;
  chainNumber: number | null;
  incidentNumber: number | null;
}

/** A service whose last check failed, with its outage. */
export interface FailingService {
  name: string;
  status: 'down' | 'degraded';
  /** The first failed check of the outage. */
  since: Date | null;
  /** Since when it is as bad as it is: later than `since` when it was degraded before it was down. */
  statusSince: Date | null;
  error: string;
  snooze: { until: Date; by: string } | null;
  /** Who acknowledged a chain or the incident of this outage, and which of the two. */
  inHand: InHand | null;
  /** Chains of this outage, the one that found it included; at most OUTAGE_CHAINS are counted. */
  chains: number;
}

/** Up to so many chains of an outage are counted; more show as `100+`. */
export const OUTAGE_CHAINS = 100;

/** The newest chain, moving or ended. `outcome` is null while it moves. */
export interface ChainFacts {
  /** UUID. */
  id: string;
  number: number;
  status: string;
  outcome: string | null;
  /** Code of the outcome's reason: `MAX_TIER`. */
  outcomeReason: string | null;
  statusText: string;
  highestTier: number;
  createdAt: Date;
  endedAt: Date | null;
  acknowledgedBy: string | null;
  /** State of the newest incident that it is about; null for none. */
  incidentState: IncidentState | null;
}

/** An incident that isn't resolved. */
export interface IncidentFacts {
  number: number;
  state: Exclude<IncidentState, 'resolved'>;
  /** Since when people have to act; null while they needn't. */
  needsHumanSince: Date | null;
  acknowledgedBy: string | null;
  /** All of its unhealthy services are snoozed. */
  isSnoozed: boolean;
}

/** One project as a row of the home page; everything in the shell comes from it, too. */
export interface ProjectFacts {
  /** UUID. */
  id: string;
  slug: string;
  name: string;
  version: number;
  nextRunAt: Date | null;
  /** Its schedule is enabled, and has no next run. */
  hasLostSchedule: boolean;
  pause: Pause | null;
  /** The lowest tier first. */
  tierPauses: (Pause & { tier: Tier })[];
  /** The maintenance window that is open now; null outside of every window. */
  maintenance: OpenWindow | null;
  harness: HarnessName;
  isDryRun: boolean;
  pool: string;
  /** Its checks run without an agent. */
  isMonitored: boolean;
  /** Not all of its checks are heartbeats, which need no runner. */
  needsRunner: boolean;
  /** UUID of the runner that was given its checks; null for none. */
  checkerId: string | null;
  /** The worst that isn't resolved: one that needs a human, then by state; null for none. */
  incident: IncidentFacts | null;
  /** Tier 1 or 2 still has a default rule of an earlier version that lets it read or reach too much. */
  hasLeakingRules: boolean;
  dayLimitMicros: number | null;
  monthLimitMicros: number | null;
  /** Of the UTC day and month, as budgets count. */
  dayMicros: number;
  monthMicros: number;
  last24hMicros: number;
  services: Record<ServiceStatus, number>;
  /** The name of the service of a project that has one; null with none or several. */
  onlyService: string | null;
  /** Those that are down or degraded, in the order of the configuration. */
  failing: FailingService[];
  lastChain: ChainFacts | null;
  /** The newest chain that came to an end by itself: not skipped, not stopped by a person. */
  lastVerdict: (ChainFacts & { servicesAffected: string[] }) | null;
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
