import { listActionsInForce } from '@/lib/engine/cooldowns/recorded-actions';
import { cooldownState } from '@/lib/engine/cooldowns/state';
import type { CooldownFact } from '@/lib/engine/escalation/schema';
import { countHealth } from '@/lib/insight/analytics/health/data';
import { makeFrame, type PlotRequest } from '@/lib/insight/analytics/make-frame';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { ServiceStatus } from '../schema';
import { type CheckResult, findServiceRow, listLastResults } from '../service-page/data';
import { type HealthBucket, healthHistory, historySentence } from '../service-page/history';
import { asStatus } from '../to-facts';

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
