/** What the home page and a project's dashboard are computed from. Times are Dates, money micro-dollars. */

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

/** The newest chain, moving or ended. `outcome` is null while it moves. */
export interface ChainFacts {
  number: number;
  status: string;
  outcome: string | null;
  /** Code of the outcome. */
  outcomeReason: string | null;
  statusText: string;
  highestTier: number;
  createdAt: Date;
  endedAt: Date | null;
  acknowledgedBy: string | null;
}

/** One project as a row of the home page; everything in the shell comes from it, too. */
export interface ProjectFacts {
  /** UUID. */
  id: string;
  slug: string;
  name: string;
  version: number;
  nextRunAt: Date | null;
  pause: Pause | null;
  /** The lowest tier first. */
  tierPauses: (Pause & { tier: Tier })[];
  /** The maintenance window that is open now; null outside of every window. */
  maintenance: OpenWindow | null;
  harness: HarnessName;
  isDryRun: boolean;
  pool: string;
  /** Tier 1 or 2 still has a default rule of an earlier version that lets it read or reach too much. */
  hasLeakingRules: boolean;
  dayLimitMicros: number | null;
  monthLimitMicros: number | null;
  /** Of the UTC day and month, as budgets count. */
  dayMicros: number;
  monthMicros: number;
  last24hMicros: number;
  services: Record<ServiceStatus, number>;
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
  isOnline: boolean;
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
  /** Those in trouble first, then by name. */
  projects: ProjectFacts[];
  /** Not the revoked ones. */
  runners: RunnerFacts[];
  /** CLAUDEOPS_DRY_RUN: no project of the installation escalates. */
  isDryRunForced: boolean;
  /** CLAUDEOPS_RESUME_CONTEXT_THRESHOLD, which stands above every project's own; null without one. */
  thresholdOverride: number | null;
}

/** One cycle in a service's strip. */
export interface HealthCell {
  chainNumber: number;
  state: ServiceStatus;
  at: Date;
}

export interface ServiceFacts {
  name: string;
  status: ServiceStatus;
  statusSince: Date | null;
  lastCheckedAt: Date | null;
  lastError: string;
  snoozedUntil: Date | null;
  /** Oldest first. */
  cells: HealthCell[];
}
