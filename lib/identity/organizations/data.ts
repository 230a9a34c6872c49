import { Prisma } from '@/generated/prisma/client';
import { lookUp } from '@/lib/platform/db/global-db';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';

interface NewOrganization {
  id: string;
  slug: string;
  name: string;
  isDemo: boolean;
}

export async function insertOrganization(db: TenantDb, row: NewOrganization): Promise<void> {
  await db.organization.create({ data: row });
}

export async function insertOwner(db: TenantDb, scope: TenantScope, userId: string): Promise<void> {
  await db.membership.create({
    data: { organizationId: scope.organizationId, userId, role: 'owner' },
  });
}

export async function getOrganizationRow(db: TenantDb, scope: TenantScope) {
  const row = await db.organization.findUnique({ where: { id: scope.organizationId } });
  if (!row) throw new NotFoundError();
  return row;
}

/** Across all organizations; a definer function answers yes or no and nothing else. */
export async function isSlugTaken(slug: string): Promise<boolean> {
  const [row] = await lookUp<{ taken: boolean }>(
    Prisma.sql`select app.organization_slug_taken(${slug}) as taken`,
  );
  return row?.taken ?? false;
}

/** Whether a write failed because another organization took the slug in the same moment. */
export function isSlugConflict(error: unknown): boolean {
  return (
    error instanceof Prisma.PrismaClientKnownRequestError &&
    error.code === 'P2002' &&
    JSON.stringify(error.meta ?? {}).includes('slug')
  );
}
