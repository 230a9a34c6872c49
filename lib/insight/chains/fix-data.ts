import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { idSince } from '@/lib/platform/ids';

/** What a chain was about: affected at its end, or unhealthy at its first check. */
const servicesOf = (chain: Prisma.Sql) => Prisma.sql`(${chain}.services_affected || array(
  select s.name from service_health h
  join service s on s.organization_id = h.organization_id and s.id = h.service_id
  where h.organization_id = f.organization_id and h.chain_id = ${chain}.id and h.status_before <> 'healthy'))`;

/**
 * SQL that joins to a fixed chain `f` what the first later look at the services said, as
 * `judged.standing`. The same judgement as fixStanding in fix-standing.ts, over many chains at once.
 */
export const JUDGED_FIX = Prisma.sql`
  left join lateral (
    select id, outcome, services_affected from chain
    where organization_id = f.organization_id and project_id = f.project_id and id > f.id
      and outcome is not null and outcome not in ('skipped', 'stopped')
    order by id limit 1) n on true
  cross join lateral (
    select case
      when n.id is null then 'unconfirmed'
      when n.outcome = 'healthy' then 'confirmed'
      when ${servicesOf(Prisma.sql`f`)} && ${servicesOf(Prisma.sql`n`)} then 'came_back'
      when cardinality(${servicesOf(Prisma.sql`f`)}) > 0
        and cardinality(${servicesOf(Prisma.sql`n`)}) > 0 then 'confirmed'
      else 'unconfirmed' end as standing) judged`;

interface FixMatch {
  organizationId: OrganizationId;
  /** UUID. */
  projectId: string | null;
  since: Date | undefined;
  until: Date | undefined;
  standing: 'confirmed' | 'came_back';
}

/** More fixes than this are cut to the newest. */
const MAX_FIXES = 5_000;

/** Ids of the chains whose reported fix was confirmed, or came back. */
export async function listFixIds(db: TenantDb, match: FixMatch): Promise<string[]> {
  const { organizationId, projectId, since, until, standing } = match;
  const rows = await queryRaw<{ id: string }>(
    db,
    Prisma.sql`select f.id from chain f ${JUDGED_FIX}
      where f.organization_id = ${organizationId}::uuid and f.outcome = 'fixed'
        ${projectId === null ? Prisma.empty : Prisma.sql`and f.project_id = ${projectId}::uuid`}
        ${since ? Prisma.sql`and f.id >= ${idSince(since)}::uuid and f.created_at >= ${since.toISOString()}::timestamptz` : Prisma.empty}
        ${until ? Prisma.sql`and f.created_at < ${until.toISOString()}::timestamptz` : Prisma.empty}
        and judged.standing = ${standing}
      order by f.id desc limit ${MAX_FIXES}`,
  );
  return rows.map((row) => row.id);
}
