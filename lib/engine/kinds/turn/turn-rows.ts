import type { TenantDb } from '@/lib/platform/db/tenant-db';

/** Takes turns out of their conversation: they and their answers stay readable, and are never resumed. */
export async function cutTurns(
  db: TenantDb,
  ids: readonly string[],
  by: { at: Date; label: string },
): Promise<void> {
  await db.turn.updateMany({
    where: { id: { in: [...ids] } },
    data: { cutAt: by.at, cutBy: by.label },
  });
}
