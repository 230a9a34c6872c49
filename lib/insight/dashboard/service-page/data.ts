import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

const checkSchema = z.object({
  type: z.string(),
  target: z.string(),
  status: z.enum(['healthy', 'degraded', 'down']),
  error: z.string(),
  responseTimeMs: z.number().nullable(),
  at: z.coerce.date(),
  chainNumber: z.number(),
  sessionNumber: z.number(),
});
export type CheckResult = z.infer<typeof checkSchema>;

/** The last result of each check in the newest chain that looked at the service. */
export async function listLastResults(
  db: TenantDb,
  service: { organizationId: string; id: string; name: string },
): Promise<CheckResult[]> {
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`
    select distinct on (e.payload->>'type', e.payload->>'target')
      e.payload->>'type' as type, e.payload->>'target' as target, e.payload->>'status' as status,
      e.payload->>'error' as error, (e.payload->>'responseTimeMs')::int as "responseTimeMs", e.at,
      c.number as "chainNumber", s.number as "sessionNumber"
    from (
      select chain_id from service_health
      where organization_id = ${service.organizationId}::uuid and service_id = ${service.id}::uuid
      order by chain_id desc limit 1) newest
    join chain c on c.organization_id = ${service.organizationId}::uuid and c.id = newest.chain_id
    join session s on s.organization_id = c.organization_id and s.chain_id = c.id
    join session_event e on e.organization_id = s.organization_id and e.session_id = s.id
    where e.kind = 'check_result' and e.payload->>'service' = ${service.name}
    order by 1, 2, e.at desc`,
  );
  return checkSchema.array().parse(rows);
}

/** Of the current configuration. */
export function findServiceRow(db: TenantDb, projectId: string, name: string) {
  return db.service.findFirst({ where: { projectId, name, removedAt: null } });
}
