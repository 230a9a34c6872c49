import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { listDaySums } from './data';
import { type HealthyFigures, healthyFigures, USUAL_SCHEDULE } from './healthy';
import {
  countChainsByHour,
  findEarlierSchedule,
  listCheckSpans,
  listHourResults,
} from './healthy-data';

/**
 * Returns what healthy days of a project cost, and the chains that its checks avoided. Five queries.
 *
 * @param input.projectId UUID
 * @param input.to what is after `now` is left out
 */
export function getHealthyFigures(
  scope: TenantScope,
  input: { projectId: string; from: Date; to: Date },
  now = new Date(),
): Promise<HealthyFigures> {
  const { organizationId } = scope;
  const { projectId, from } = input;
  const to = input.to < now ? input.to : now;
  const span = { organizationId, projectId, from, to };
  return inTransaction(scope, async (db) => {
    const days = await listDaySums(db, { organizationId, projectId }, from);
    const earlier = await findEarlierSchedule(db, span);
    return healthyFigures({
      from,
      to,
      checks: await listCheckSpans(db, span),
      results: await listHourResults(db, span),
      chains: await countChainsByHour(db, span),
      dayMicros: new Map(days.map(({ day, micros }) => [day, micros])),
      reference: earlier ?? { schedule: USUAL_SCHEDULE, version: null },
    });
  });
}
