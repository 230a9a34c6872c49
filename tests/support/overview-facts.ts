/** Facts of an organization for pure decisions about it: one project, healthy, with a runner. */

import type { ChainFacts, IncidentFacts } from '@/lib/insight/dashboard/rows';
import type {
  FailingService,
  Overview,
  Pause,
  ProjectFacts,
  RunnerFacts,
} from '@/lib/insight/dashboard/schema';

export const NOW = new Date('2026-11-21T14:58:00Z');

/** `14:56`, in UTC. */
export const utcClock = (at: Date) => at.toISOString().slice(11, 16);

export const at = (time: string) => new Date(`2026-11-21T${time}:00Z`);

export function chainFacts(changes: Partial<ChainFacts> = {}): ChainFacts {
  return {
    id: '0',
    number: 12,
    status: 'ended',
    outcome: 'healthy',
    outcomeReason: null,
    statusText: '',
    highestTier: 1,
    createdAt: at('14:50'),
    endedAt: at('14:56'),
    acknowledgedBy: null,
    incidentState: null,
    servicesAffected: [],
    ...changes,
  };
}

export function failing(changes: Partial<FailingService> = {}): FailingService {
  return {
    name: 'web',
    status: 'down',
    since: at('14:27'),
    statusSince: at('14:27'),
    error: 'Connection refused.',
    snooze: null,
    acknowledged: null,
    chains: 1,
    ...changes,
  };
}

export function incidentFacts(changes: Partial<IncidentFacts> = {}): IncidentFacts {
  return {
    number: 3,
    state: 'open',
    needsHumanSince: at('14:40'),
    acknowledgedBy: null,
    isSnoozed: false,
    ...changes,
  };
}

export function pauseBy(by: string): Pause {
  return { at: at('14:30'), by, reason: '', endsAt: null };
}

export function projectFacts(changes: Partial<ProjectFacts> = {}): ProjectFacts {
  const chain = chainFacts();
  const isFailing = changes.failing ?? [];
  const count = (status: string) => isFailing.filter((each) => each.status === status).length;
  return {
    id: '0',
    slug: 'checkout',
    name: 'Checkout',
    version: 14,
    nextRunAt: at('15:00'),
    hasLostSchedule: false,
    pause: null,
    tierPauses: [],
    maintenance: null,
    harness: 'claude',
    isDryRun: false,
    pool: 'eu',
    isMonitored: false,
    needsRunner: true,
    checkerId: RUNNER.id,
    incident: null,
    hasLeakingRules: false,
    dayLimitMicros: 10_000_000,
    monthLimitMicros: null,
    dayMicros: 2_830_000,
    monthMicros: 2_830_000,
    last24hMicros: 2_830_000,
    services: { healthy: 1, degraded: count('degraded'), down: count('down'), unknown: 0 },
    onlyService: isFailing.length === 0 ? 'web' : null,
    failing: [],
    lastChain: chain,
    lastVerdict: chain,
    ...changes,
  };
}

/** With one verdict, which is the last chain as well. */
export function withVerdict(
  changes: Partial<ChainFacts>,
  around: Partial<ProjectFacts> = {},
): ProjectFacts {
  const verdict = chainFacts(changes);
  return projectFacts({ lastChain: verdict, lastVerdict: verdict, ...around });
}

export const RUNNER: RunnerFacts = {
  id: '0',
  name: 'eu-1',
  pool: 'eu',
  lastSeenAt: NOW,
  isOnline: true,
  isConnected: true,
  isMissed: false,
};

export function overviewOf(
  projects: ProjectFacts[] = [projectFacts()],
  changes: Partial<Overview> = {},
): Overview {
  return {
    now: NOW,
    organization: { name: 'Acme', isDemo: false, pause: null },
    projects,
    runners: [RUNNER],
    isDryRunForced: false,
    thresholdOverride: null,
    ...changes,
  };
}
