import { runnerStatus } from '@/lib/fleet/status';
import type { PauseColumns } from '@/lib/identity/pauses/pauses';
import { openWindow } from '@/lib/projects/maintenance/window';
import type { listRunnerFacts, ProjectFactsRow, RecentHealthRow, ServiceRow } from './data';
import type {
  HealthCell,
  Pause,
  ProjectFacts,
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

export function toProjectFacts(row: ProjectFactsRow, now: Date): ProjectFacts {
  const { lastChain, earlierVerdict, dayUsd, monthUsd } = row;
  const { healthy, degraded, down, unknown } = row;
  // Field by field: leaving some out of a copy is far slower, and there may be a thousand rows.
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    version: row.version,
    nextRunAt: row.nextRunAt,
    pause: pauseOf(row),
    tierPauses: row.tierPauses,
    maintenance: openWindow(row.maintenance, now),
    harness: row.harness,
    isDryRun: row.isDryRun,
    pool: row.pool,
    hasLeakingRules: row.hasLeakingRules,
    dayLimitMicros: dayUsd === null ? null : dayUsd * MICROS_PER_USD,
    monthLimitMicros: monthUsd === null ? null : monthUsd * MICROS_PER_USD,
    dayMicros: row.dayMicros,
    monthMicros: row.monthMicros,
    last24hMicros: row.last24hMicros,
    services: { healthy, degraded, down, unknown },
    lastChain,
    lastVerdict: lastChain && isVerdict(lastChain) ? lastChain : earlierVerdict,
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
    isMissed: status === 'offline' && row.drainingAt === null,
  };
}

const STATUSES: readonly ServiceStatus[] = ['healthy', 'degraded', 'down', 'unknown'];

export function asStatus(text: string): ServiceStatus {
  return STATUSES.find((status) => status === text) ?? 'unknown';
}

/** `chains` newest first. A cycle that said nothing about a service is a gap, not a good one. */
export function toServiceFacts(
  service: ServiceRow,
  chains: readonly RecentHealthRow[],
  now: Date,
): ServiceFacts {
  const cells = chains.toReversed().flatMap((chain): HealthCell[] => {
    const found = chain.health.find((each) => each.serviceId === service.id);
    if (found) return [{ chainNumber: chain.number, state: asStatus(found.status), at: found.at }];
    // One that still runs may say something yet.
    return chain.endedAt
      ? [{ chainNumber: chain.number, state: 'unknown', at: chain.createdAt }]
      : [];
  });
  const { name, statusSince, lastCheckedAt, lastError, snoozedUntil } = service;
  return {
    name,
    status: asStatus(service.status),
    statusSince,
    lastCheckedAt,
    lastError,
    snoozedUntil: snoozedUntil && snoozedUntil > now ? snoozedUntil : null,
    cells,
  };
}
