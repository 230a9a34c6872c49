import { Prisma } from '@/generated/prisma/client';
import { inSystemTransaction } from '@/lib/platform/db/global-db';
import { logger } from '@/lib/platform/logger';
import { nextRunAt } from './next-run';
import { scheduleSchema } from './schema';

/**
 * Gives every enabled schedule without a next run its next one. Earlier versions lost it where clocks go forward
 * at midnight. One that still has none is a problem of the installation, which the watchdog reports.
 *
 * @returns how many schedules run again
 */
export function restoreLostSchedules(now = new Date()): Promise<number> {
  return inSystemTransaction('schedules without a next run', async (query) => {
    const lost = await query<{ id: string; schedule: unknown }>(
      Prisma.sql`select p.id, v.config->'schedule' as schedule from project p
        join project_version v on v.organization_id = p.organization_id and v.project_id = p.id
          and v.version = p.current_version
        where p.next_run_at is null and v.config->'schedule'->>'kind' <> 'manual'
        for no key update of p skip locked`,
    );
    const restored = lost.flatMap(({ id, schedule }) => {
      const nextAt = nextRunOf(id, schedule, now);
      return nextAt ? [{ id, nextAt }] : [];
    });
    await query(
      Prisma.sql`update project p set next_run_at = r."nextAt"
        from jsonb_to_recordset(${JSON.stringify(restored)}::jsonb) as r(id uuid, "nextAt" timestamptz)
        where p.id = r.id`,
    );
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
