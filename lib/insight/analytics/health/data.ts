import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { frameSql } from '../data';
import type { PlotFrame } from '../frame';

const daySchema = z.object({
  bucket: z.number(),
  healthy: z.number(),
  degraded: z.number(),
  down: z.number(),
});
export type HealthDayRow = z.infer<typeof daySchema>;

/** How many cycles found the service in which state, by the last word of each. */
export async function countHealth(
  db: TenantDb,
  frame: PlotFrame,
  serviceId: string,
): Promise<HealthDayRow[]> {
  const sql = frameSql(frame);
  const count = (status: string) => Prisma.sql`(count(*) filter (where status = ${status}))::int`;
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`
    select ${sql.bucketOf(Prisma.sql`at`)} as bucket, ${count('healthy')} as healthy,
      ${count('degraded')} as degraded, ${count('down')} as down
    from service_health
    where organization_id = ${sql.organization} and service_id = ${serviceId}::uuid
      and chain_id >= ${sql.fromId} and at >= ${sql.from} and at < ${sql.to}
    group by 1`,
  );
  return daySchema.array().parse(rows);
}
