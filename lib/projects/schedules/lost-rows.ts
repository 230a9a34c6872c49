import { sql } from 'kysely';
import { inSystemTransaction } from '@/lib/platform/db/global-db';
import { given, query, refers, rowsOf, sqlChanges } from '@/lib/platform/db/sql';
import { logger } from '@/lib/platform/logger';
import { nextRunAt } from './next-run';
import { scheduleSchema } from './schema';

/** Selects enabled schedules without a next run. */
export const lostSchedules = query
  .selectFrom('project as p')
  .innerJoin('projectVersion as v', refers('v.projectId', 'p.id'))
  .whereRef('v.version', '=', 'p.currentVersion')
  .where('p.nextRunAt', 'is', null)
  .where(sql<boolean>`v.config->'schedule'->>'kind' <> 'manual'`);

/**
 * Gives every enabled schedule without a next run its next one. Earlier versions lost it where clocks go forward
 * at midnight. One that still has none is a problem of the installation, which the watchdog reports.
 *
 * @returns how many schedules run again
 */
export function restoreLostSchedules(now = new Date()): Promise<number> {
  return inSystemTransaction('schedules without a next run', async (db) => {
    const columns = lostSchedules.select(['p.id', sql`v.config->'schedule'`.as('schedule')]);
    const lost = await rowsOf(db, columns.forNoKeyUpdate('p').skipLocked());
    const restored = lost.flatMap(({ id, schedule }) => {
      const nextAt = nextRunOf(id, schedule, now);
      return nextAt ? [{ id, nextRunAt: nextAt }] : [];
    });
    await sqlChanges(
      db,
    )`update project p set next_run_at = r.next_run_at from ${given('project', restored)} r where p.id = r.id`;
    return restored.length;
  });
}

function nextRunOf(projectId: string, schedule: unknown, now: Date): Date | null {
  try {
    return nextRunAt(scheduleSchema.parse(schedule), now);
  } catch (error) {
    logger.error({ err: error, projectId }, 'no next run');
    return null;
  }
}
