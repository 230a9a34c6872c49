/** Pauses of every organization whose end has come, and how each is taken away. */

import { Prisma } from '@/generated/prisma/client';
import { NOT_PAUSED } from '@/lib/identity/pauses/pauses';
import { systemDb } from '@/lib/platform/db/global-db';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

const BATCH = 500;

export interface EndedPause {
  kind: 'organization' | 'project' | 'tier' | 'runner';
  organizationId: string;
  /** UUID of what is paused; for a tier, of its project. */
  id: string;
  name: string;
  /** Of a tier's pause. */
  tier: number | null;
}

export function listEndedPauses(now: Date): Promise<EndedPause[]> {
  return systemDb('pauses that end').$queryRaw<EndedPause[]>(
    Prisma.sql`
    select 'organization' as kind, id as "organizationId", id, name, null::int as tier
      from organization where pause_ends_at <= ${now}::timestamptz
    union all select 'project', organization_id, id, name, null from project where pause_ends_at <= ${now}::timestamptz
    union all select 'runner', organization_id, id, name, null from runner where pause_ends_at <= ${now}::timestamptz
    union all select 'tier', t.organization_id, t.project_id, p.name, t.tier from tier_pause t
      join project p on p.organization_id = t.organization_id and p.id = t.project_id
      where t.pause_ends_at <= ${now}::timestamptz
    limit ${BATCH}`,
  );
}

/** False when someone has resumed it, or paused it anew, in between. */
export async function endPause(
  db: TenantDb,
  { kind, id, tier }: EndedPause,
  now: Date,
): Promise<boolean> {
  const where = { id, pauseEndsAt: { lte: now } };
  switch (kind) {
    case 'organization':
      return isOne(db.organization.updateMany({ where, data: NOT_PAUSED }));
    case 'project':
      return isOne(db.project.updateMany({ where, data: NOT_PAUSED }));
    case 'runner':
      return isOne(db.runner.updateMany({ where, data: NOT_PAUSED }));
    case 'tier':
      return isOne(
        db.tierPause.deleteMany({
          where: { projectId: id, tier: tier ?? 0, pauseEndsAt: { lte: now } },
        }),
      );
  }
}

async function isOne(written: Promise<{ count: number }>): Promise<boolean> {
  return (await written).count === 1;
}
