import { listCountedActions } from '@/lib/engine/cooldowns/action-rows';
import { type CooldownFact, cooldownState } from '@/lib/engine/cooldowns/state';
import {
  type CheckHourRow,
  listCheckHours,
  listCheckPasts,
  listLatencySums,
  listProblems,
  listWatchedChecks,
  type ProblemRow,
  type WatchedCheck,
} from '@/lib/monitoring/check-history-rows';
import { listPingChecks, type PingCheck } from '@/lib/monitoring/manage-ping-checks';
import { serviceSpans } from '@/lib/monitoring/service-spans';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import type { ProjectConfig } from '@/lib/projects/schema';
import { shownCheck } from '@/lib/protocol/checks/describe-check';
import { type CheckSpec, checkSchema } from '@/lib/protocol/spec';
import { type PlotRange, rangeThatFits } from '../analytics/buckets';
import { makeFrame } from '../analytics/frame';
import { type HourCell, hourCells, SHOWN_HOURS } from './check-hours';
import {
  CHECKED_SPANS,
  type CheckedUptime,
  checkedSentence,
  checkedUptime,
  type HourLatency,
  hourLatencies,
  timeCells,
} from './checked-history';
import type { ServiceStatus, TimeCell } from './schema';
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
  past: ChainPast | CheckedPast;
  /** As configured, with the newest result of each; null before its first. */
  checks: { check: Check; result: CheckResult | null }[];
  cooldowns: CooldownFact[];
  /** What its checks found without an agent; null while they run in chains only. */
  monitored: Monitored | null;
}

/** What chains found of a service that has no checks of its own. */
interface ChainPast {
  source: 'chains';
  history: HealthBucket[];
  sentence: string;
  uptime: Uptime[];
  latency: LatencyPoint[];
}

/** What a service was by its own checks, between chains as well. */
interface CheckedPast {
  source: 'checks';
  history: TimeCell[];
  sentence: string;
  uptime: CheckedUptime[];
  /** Of the last 24 hours. */
  latency: HourLatency[];
}

export interface MonitoredCheck extends Omit<WatchedCheck, 'spec'> {
  check: CheckSpec;
  hours: HourCell[];
  /** Of a heartbeat check. */
  pingCheck: PingCheck | null;
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
  request: Request,
  now = new Date(),
): Promise<ServicePage> {
  const checks = config.services.find((service) => service.name === name)?.checks ?? [];
  return inTransaction(scope, async (db) => {
    const row = await findServiceRow(db, projectId, name);
    if (!row) throw new NotFoundError();
    const watched = await listWatchedChecks(db, row.id);
    const hours = await listCheckHours(
      db,
      watched.map(({ id }) => id),
      hoursBefore(now, SHOWN_HOURS),
    );
    const { range, past } =
      (await checkedPast(db, scope, row, hours, request, now)) ??
      (await chainPast(db, scope, row, request, now));
    const results = await listLastResults(db, row);
    const actions = await listCountedActions(db, projectId, config.cooldowns, now);
    const monitored = await getMonitored(db, scope, row.id, watched, hours, now);
    const { statusSince, lastCheckedAt, lastError, snoozedUntil } = row;
    const status = asStatus(row.status);
    const isFailing = status === 'down' || status === 'degraded';
    return {
      name,
      statusSince,
      lastCheckedAt,
      lastError,
      range,
      past,
      status,
      failingSince: isFailing ? (row.failingSince ?? statusSince) : null,
      snooze:
        snoozedUntil && snoozedUntil > now
          ? { until: snoozedUntil, by: row.snoozedBy ?? 'Someone', reason: row.snoozeReason ?? '' }
          : null,
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

type ServiceRow = NonNullable<Awaited<ReturnType<typeof findServiceRow>>>;
interface Request {
  range: PlotRange | null;
  timeZone: string;
}
interface Past<Found> {
  range: PlotRange;
  past: Found;
}

async function chainPast(
  db: TenantDb,
  scope: TenantScope,
  row: ServiceRow,
  request: Request,
  now: Date,
): Promise<Past<ChainPast>> {
  const range = request.range ?? rangeThatFits(await findFirstCheckAt(db, row.id), now, '30d');
  const frame = makeFrame(scope, { range, timeZone: request.timeZone }, row.projectId, now);
  const history = healthHistory(frame, await countHealth(db, frame, row.id));
  const hours = UPTIME_SPANS.map((span) => span.hours);
  const past = {
    source: 'chains',
    history,
    sentence: historySentence(row.name, history, frame.rangeWords),
    uptime: uptimeOf(await listUptime(db, row, hours, now)),
    latency: latencyPoints(await listLatencies(db, row.id)),
  } as const;
  return { range, past };
}

/** The first column of 13 weeks begins up to 90 days ago. */
const PAST_HOURS = 91 * 24;

/** Null if the service has no checks that run without an agent. */
async function checkedPast(
  db: TenantDb,
  scope: TenantScope,
  row: ServiceRow,
  day: readonly CheckHourRow[],
  request: Request,
  now: Date,
): Promise<Past<CheckedPast> | null> {
  const since = hoursBefore(now, PAST_HOURS);
  const checks = (await listCheckPasts(db, [row.id], since)).get(row.id);
  if (!checks) return null;
  const spans = serviceSpans(checks, { from: since, to: now });
  const firstKnown = spans.find(({ status }) => status !== 'unknown');
  const range = request.range ?? rangeThatFits(firstKnown?.from ?? null, now, '30d');
  const frame = makeFrame(scope, { range, timeZone: request.timeZone }, row.projectId, now);
  const columns = frame.buckets.map((bucket, index) => ({
    ...bucket,
    label: frame.labels[index]?.long ?? '',
  }));
  const hours = CHECKED_SPANS.map((span) => span.hours);
  const sums = await listLatencySums(db, row.id, hours, now);
  const past = {
    source: 'checks',
    history: timeCells(spans, columns, now),
    sentence: checkedSentence(row.name, spans, {
      from: columns[0]?.startAt ?? since,
      ...{ now, rangeWords: frame.rangeWords },
    }),
    uptime: checkedUptime(spans, sums, now),
    latency: hourLatencies(day, { hours: SHOWN_HOURS, now }),
  } as const;
  return { range, past };
}

function hoursBefore(now: Date, hours: number): Date {
  return new Date(now.getTime() - hours * 3_600_000);
}

const SHOWN_PROBLEMS = 20;
/** Results are kept for as long. */
const PROBLEM_DAYS = 14;

async function getMonitored(
  db: TenantDb,
  scope: TenantScope,
  serviceId: string,
  rows: readonly WatchedCheck[],
  counted: readonly CheckHourRow[],
  now: Date,
): Promise<Monitored | null> {
  if (rows.length === 0) return null;
  const ids = rows.map(({ id }) => id);
  const problems = await listProblems(db, ids, {
    since: hoursBefore(now, PROBLEM_DAYS * 24),
    limit: SHOWN_PROBLEMS,
  });
  const pingChecks = await listPingChecks(db, scope, serviceId, now);
  const checks = rows.map(({ spec, ...row }) => ({
    ...row,
    check: checkSchema.parse(spec),
    hours: hourCells(
      counted.filter(({ checkId }) => checkId === row.id),
      now,
    ),
    pingCheck: pingChecks.find(({ checkId }) => checkId === row.id) ?? null,
  }));
  return {
    checks,
    problems: problems.flatMap(({ checkId, ...problem }) => {
      const found = checks.find(({ id }) => id === checkId);
      return found ? [{ ...problem, check: found.check }] : [];
    }),
  };
}
