import { listActionsInForce } from '@/lib/engine/cooldowns/action-rows';
import { type CooldownFact, cooldownState } from '@/lib/engine/cooldowns/state';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import type { ProjectConfig } from '@/lib/projects/schema';
import { shownCheck } from '@/lib/protocol/checks/target';
import type { PlotRange } from '../analytics/buckets';
import { rangeThatFits } from '../analytics/fitting-range';
import { makeFrame } from '../analytics/frame';
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
    };
  });
}
