import { isConnected, runnerStatus } from '@/lib/fleet/status';
import type { PauseColumns } from '@/lib/identity/pauses';
import { openWindow } from '@/lib/projects/maintenance/window';
import type { listRunnerFacts, RecentHealthRow, ServiceRow } from './data';
import type { FailingRow, ProjectRow } from './rows';
import type {
  FailingService,
  HealthCell,
  Pause,
  ProjectFacts,
  Recovery,
  RunnerFacts,
  ServiceFacts,
  ServiceStatus,
} from './schema';

const MICROS_PER_USD = 1_000_000;

export function pauseOf(row: PauseColumns): Pause | null {
  if (!row.pausedAt) return null;
  return {
    at: row.pausedAt,
    by: row.pausedBy ?? 'Someone',
    reason: row.pauseReason ?? '',
    endsAt: row.pauseEndsAt,
  };
}

export function toProjectFacts(row: ProjectRow, now: Date): ProjectFacts {
  const { lastChain, earlierVerdict, dayUsd, monthUsd } = row;
  const { healthy, degraded, down, unknown } = row;
  // What isn't a fact stays in the copy: leaving it out is far slower, and there may be a thousand rows.
  return {
    ...row,
    pause: pauseOf(row),
    maintenance: openWindow(row.maintenance, now),
    dayLimitMicros: dayUsd === null ? null : dayUsd * MICROS_PER_USD,
    monthLimitMicros: monthUsd === null ? null : monthUsd * MICROS_PER_USD,
    services: { healthy, degraded, down, unknown },
    failing: row.failing.map((service) => toFailingService(service, now)),
    lastVerdict: lastChain && isVerdict(lastChain) ? lastChain : earlierVerdict,
  };
}

function toFailingService(row: FailingRow, now: Date): FailingService {
  const { name, status, statusSince, error, chains, acknowledged, snoozedUntil, snoozedBy } = row;
  return {
    name,
    status,
    since: row.failingSince ?? statusSince,
    statusSince,
    error,
    chains,
    acknowledged,
    snooze:
      snoozedUntil && snoozedUntil > now
        ? { until: snoozedUntil, by: snoozedBy ?? 'someone' }
        : null,
  };
}

/** Of the last chain, which is no skipped one. */
function isVerdict({ outcome }: { outcome: string | null }): boolean {
  return outcome !== null && outcome !== 'stopped';
}

export function toRunnerFacts(
  row: Awaited<ReturnType<typeof listRunnerFacts>>[number],
  now: Date,
): RunnerFacts {
  const status = runnerStatus(row, now);
  return {
    id: row.id,
    name: row.name,
    pool: row.pool.name,
    lastSeenAt: row.lastSeenAt,
    isOnline: status === 'online',
    isConnected: isConnected(row, now),
    isMissed: status === 'offline' && row.drainingAt === null,
  };
}

const STATUSES: readonly ServiceStatus[] = ['healthy', 'degraded', 'down', 'unknown'];

export function asStatus(text: string): ServiceStatus {
  return STATUSES.find((status) => status === text) ?? 'unknown';
}

interface HealthWords {
  status: string;
  statusBefore: string;
  /** Null for a row that was written before it was recorded. */
  statusWorst: string | null;
}

const WORST_FIRST = ['down', 'degraded', 'healthy'] as const;

/** The worst that one chain found of a service. */
export function worstOfChain({ status, statusBefore, statusWorst }: HealthWords): ServiceStatus {
  const words = [status, statusBefore, statusWorst];
  return WORST_FIRST.find((word) => words.includes(word)) ?? 'unknown';
}

/** Null when the chain found the service healthy throughout, or left it failing. */
export function recoveryOf(health: HealthWords, highestTier: number): Recovery | null {
  if (health.status !== 'healthy' || worstOfChain(health) === 'healthy') return null;
  return highestTier >= 2 ? { kind: 'repaired', tier: highestTier } : { kind: 'recovered' };
}

/** `chains` newest first. A chain that didn't check a service is a gap, not a good one. */
export function toServiceFacts(
  service: ServiceRow,
  chains: readonly RecentHealthRow[],
  now: Date,
): ServiceFacts {
  const cells = chains.toReversed().flatMap((chain): HealthCell[] => {
    const { number: chainNumber } = chain;
    const found = chain.health.find((each) => each.serviceId === service.id);
    if (found) {
      // While the chain is running, its next check may say otherwise.
      const recovery = chain.endedAt ? recoveryOf(found, chain.highestTier) : null;
      return [{ chainNumber, state: worstOfChain(found), recovery, at: found.at }];
    }
    return chain.endedAt
      ? [{ chainNumber, state: 'unknown', recovery: null, at: chain.createdAt }]
      : [];
  });
  const { name, statusSince, lastCheckedAt, lastError, snoozedUntil } = service;
  const status = asStatus(service.status);
  const isFailing = status === 'down' || status === 'degraded';
  return {
    name,
    status,
    statusSince,
    failingSince: isFailing ? (service.failingSince ?? statusSince) : null,
    lastCheckedAt,
    lastError,
    latencyMs: latencyOf(service, chains),
    snoozedUntil: snoozedUntil && snoozedUntil > now ? snoozedUntil : null,
    past: null,
    cells,
  };
}

/** Of the newest chain that checked the service. */
function latencyOf({ id }: ServiceRow, chains: readonly RecentHealthRow[]): number | null {
  const last = chains.flatMap(({ health }) => health).find(({ serviceId }) => serviceId === id);
  return last && last.status !== 'down' ? last.responseTimeMs : null;
}
