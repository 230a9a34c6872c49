import { listActionsInForce } from '@/lib/engine/cooldowns/recorded-actions';
import { type CooldownFact, cooldownState } from '@/lib/engine/cooldowns/state';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import type { ProjectConfig } from '@/lib/projects/schema';
import { countHealth, type HealthDayRow } from '../analytics/data';
import {
  fillBuckets,
  makeFrame,
  type PlotFrame,
  type PlotRequest,
  sumOf,
} from '../analytics/frame';
import { type CheckResult, findServiceRow, listLastResults } from './data';
import type { ServiceStatus } from './schema';
import { asStatus } from './to-facts';

type Check = ProjectConfig['services'][number]['checks'][number];

export interface ServicePage {
  name: string;
  status: ServiceStatus;
  statusSince: Date | null;
  lastCheckedAt: Date | null;
  lastError: string;
  snooze: { until: Date; by: string; reason: string } | null;
  history: HealthBucket[];
  /** `web was healthy in 255 of 258 cycles of the last 7 days.` */
  historySentence: string;
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
  request: PlotRequest,
  now = new Date(),
): Promise<ServicePage> {
  const checks = config.services.find((service) => service.name === name)?.checks ?? [];
  return inTransaction(scope, async (db) => {
    const row = await findServiceRow(db, projectId, name);
    if (!row) throw new NotFoundError();
    const frame = makeFrame(scope, request, projectId, now);
    const history = healthHistory(frame, await countHealth(db, frame, row.id));
    const results = await listLastResults(db, row);
    const actions = await listActionsInForce(db, projectId, config.cooldowns, now);
    const { status, statusSince, lastCheckedAt, lastError, snoozedUntil } = row;
    return {
      name,
      statusSince,
      lastCheckedAt,
      lastError,
      history,
      status: asStatus(status),
      snooze:
        snoozedUntil && snoozedUntil > now
          ? { until: snoozedUntil, by: row.snoozedBy ?? 'Someone', reason: row.snoozeReason ?? '' }
          : null,
      historySentence: historySentence(name, history, frame.rangeWords),
      checks: checks.map((check) => ({
        check,
        result:
          results.find(({ type, target }) => type === check.type && target === check.target) ??
          null,
      })),
      cooldowns: cooldownState(config.cooldowns, actions, [name], now),
    };
  });
}

interface HealthBucket {
  label: string;
  isCurrent: boolean;
  from: Date;
  to: Date;
  /** The worst that was found; `unknown` where nobody looked. */
  state: ServiceStatus;
  /** Cycles that looked, and those of them that found it as it should be. */
  cycles: number;
  healthy: number;
}

export function healthHistory(frame: PlotFrame, rows: readonly HealthDayRow[]): HealthBucket[] {
  return fillBuckets(frame.buckets.length, rows, (found, index): HealthBucket => {
    const bucket = frame.buckets[index];
    const healthy = sumOf(found, (row) => row.healthy);
    const degraded = sumOf(found, (row) => row.degraded);
    const down = sumOf(found, (row) => row.down);
    return {
      label: frame.labels[index]?.long ?? '',
      isCurrent: bucket?.isCurrent ?? false,
      from: bucket?.startAt ?? frame.now,
      to: bucket?.endAt ?? frame.now,
      state: down > 0 ? 'down' : degraded > 0 ? 'degraded' : healthy > 0 ? 'healthy' : 'unknown',
      cycles: healthy + degraded + down,
      healthy,
    };
  });
}

/** `web was healthy in 1,204 of 1,210 cycles of the last 30 days.` */
export function historySentence(
  name: string,
  history: readonly HealthBucket[],
  rangeWords: string,
): string {
  const cycles = sumOf(history, (bucket) => bucket.cycles);
  if (cycles === 0) return `No cycle has checked ${name} in ${rangeWords}.`;
  const healthy = sumOf(history, (bucket) => bucket.healthy);
  const all = cycles === 1 ? 'the 1 cycle' : `all ${cycles.toLocaleString('en')} cycles`;
  if (healthy === cycles) return `${name} was healthy in ${all} of ${rangeWords}.`;
  return `${name} was healthy in ${healthy.toLocaleString('en')} of ${cycles.toLocaleString('en')} cycles of ${rangeWords}.`;
}
