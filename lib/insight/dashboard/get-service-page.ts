import { listActionsInForce } from '@/lib/engine/cooldowns/action-rows';
import { type CooldownFact, cooldownState } from '@/lib/engine/cooldowns/state';
import {
  listCheckHours,
  listProblems,
  listWatchedChecks,
  type ProblemRow,
  type WatchedCheck,
} from '@/lib/monitoring/check-history-rows';
import { type Heartbeat, listHeartbeats } from '@/lib/monitoring/manage-heartbeats';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import type { ProjectConfig } from '@/lib/projects/schema';
import { shownCheck } from '@/lib/protocol/checks/target';
import { type CheckSpec, checkSchema } from '@/lib/protocol/spec';
import type { PlotRange } from '../analytics/buckets';
import { rangeThatFits } from '../analytics/fitting-range';
import { makeFrame } from '../analytics/frame';
import { type HourCell, hourCells, SHOWN_HOURS } from './check-hours';
import type { ServiceStatus } from './schema';
import {
  type CheckResult,
  countHealth,
  findFirstCheckAt,
  findServiceRow,
  listLastResults,
  listLatencies,
  listUptime,
} from './service-data';
import {
  type HealthBucket,
  healthHistory,
  historySentence,
  type LatencyPoint,
  latencyPoints,
  UPTIME_SPANS,
  type Uptime,
  uptimeOf,
} from './service-history';
import { asStatus } from './to-facts';

type Check = ProjectConfig['services'][number]['checks'][number];

export interface ServicePage {
  name: string;
  status: ServiceStatus;
  statusSince: Date | null;
  /** The first failed check of the current outage; null outside of one. */
  failingSince: Date | null;
  lastCheckedAt: Date | null;
  lastError: string;
  snooze: { until: Date; by: string; reason: string } | null;
  /** What was asked for, else the shortest that shows everything. */
  range: PlotRange;
  history: HealthBucket[];
  historySentence: string;
  uptime: Uptime[];
  latency: LatencyPoint[];
  /** As configured, with the newest result of each; null before its first. */
  checks: { check: Check; result: CheckResult | null }[];
  cooldowns: CooldownFact[];
  /** What its checks found without an agent; null while they run in chains only. */
  monitored: Monitored | null;
}

export interface MonitoredCheck extends Omit<WatchedCheck, 'spec'> {
  check: CheckSpec;
  hours: HourCell[];
  /** Of a heartbeat check. */
  heartbeat: Heartbeat | null;
}

export interface Problem extends Omit<ProblemRow, 'checkId'> {
  check: CheckSpec;
}

export interface Monitored {
  /** As configured. */
  checks: MonitoredCheck[];
  /** What failed or couldn’t be checked in the last 14 days, newest first. */
  problems: Problem[];
}

interface Watched {
  projectId: string;
  config: Pick<ProjectConfig, 'services' | 'cooldowns'>;
  name: string;
}

/** Everything about one service of a project's current configuration. Throws NotFoundError. */
export function getServicePage(
  scope: TenantScope,
  { projectId, config, name }: Watched,
  request: { range: PlotRange | null; timeZone: string },
  now = new Date(),
): Promise<ServicePage> {
  const checks = config.services.find((service) => service.name === name)?.checks ?? [];
  return inTransaction(scope, async (db) => {
    const row = await findServiceRow(db, projectId, name);
    if (!row) throw new NotFoundError();
    const latencies = await listLatencies(db, row.id);
    const range = request.range ?? rangeThatFits(await findFirstCheckAt(db, row.id), now, '30d');
    const frame = makeFrame(scope, { range, timeZone: request.timeZone }, projectId, now);
    const history = healthHistory(frame, await countHealth(db, frame, row.id));
    const results = await listLastResults(db, row);
    const actions = await listActionsInForce(
      db,
      scope.organizationId,
      projectId,
      config.cooldowns,
      now,
    );
    const hours = UPTIME_SPANS.map((span) => span.hours);
    const uptime = uptimeOf(await listUptime(db, row, hours, now));
    const monitored = await getMonitored(db, scope, row.id, now);
    const { statusSince, lastCheckedAt, lastError, snoozedUntil } = row;
    const status = asStatus(row.status);
    const isFailing = status === 'down' || status === 'degraded';
    return {
      name,
      statusSince,
      lastCheckedAt,
      lastError,
      range,
      history,
      uptime,
      status,
      failingSince: isFailing ? (row.failingSince ?? statusSince) : null,
      latency: latencyPoints(latencies),
      snooze:
        snoozedUntil && snoozedUntil > now
          ? { until: snoozedUntil, by: row.snoozedBy ?? 'Someone', reason: row.snoozeReason ?? '' }
          : null,
      historySentence: historySentence(name, history, frame.rangeWords),
      checks: checks.map((check) => ({
        check,
        result:
          results.find(({ type, target }) => type === check.type && target === shownCheck(check)) ??
          null,
      })),
      cooldowns: cooldownState(config.cooldowns, actions, [name], now),
      monitored,
    };
  });
}

const SHOWN_PROBLEMS = 20;
/** Results are kept for as long. */
const PROBLEM_DAYS = 14;

async function getMonitored(
  db: TenantDb,
  scope: TenantScope,
  serviceId: string,
  now: Date,
): Promise<Monitored | null> {
  const rows = await listWatchedChecks(db, serviceId);
  if (rows.length === 0) return null;
  const ids = rows.map(({ id }) => id);
  const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  const counted = await listCheckHours(db, scope.organizationId, ids, ago(SHOWN_HOURS));
  const problems = await listProblems(db, scope.organizationId, ids, {
    since: ago(PROBLEM_DAYS * 24),
    limit: SHOWN_PROBLEMS,
  });
  const heartbeats = await listHeartbeats(db, scope, serviceId, now);
  const checks = rows.map(({ spec, ...row }) => ({
    ...row,
    check: checkSchema.parse(spec),
    hours: hourCells(
      counted.filter(({ checkId }) => checkId === row.id),
      now,
    ),
    heartbeat: heartbeats.find(({ checkId }) => checkId === row.id) ?? null,
  }));
  return {
    checks,
    problems: problems.flatMap(({ checkId, ...problem }) => {
      const found = checks.find(({ id }) => id === checkId);
      return found ? [{ ...problem, check: found.check }] : [];
    }),
  };
}
