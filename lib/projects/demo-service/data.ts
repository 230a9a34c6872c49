import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

/**
 * Whether a project with the demo agent checks a URL: the one given, or any of the organization.
 *
 * @param projectId UUID; null for any
 */
export async function isUrlWatched(
  db: TenantDb,
  url: string,
  projectId: string | null,
): Promise<boolean> {
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`
    select exists (
      select from project p join project_version v
        on v.organization_id = p.organization_id and v.project_id = p.id and v.version = p.current_version
      where v.harness = 'demo' and v.config @? ('$.services[*].checks[*].target ? (@ == "' || ${url}::text || '")')::jsonpath
        ${projectId === null ? Prisma.empty : Prisma.sql`and p.id = ${projectId}::uuid`}
    ) as "isWatched"`,
  );
  return z.object({ isWatched: z.boolean() }).array().parse(rows)[0]?.isWatched ?? false;
}
