import type { TenantDb } from '@/lib/db/tenant-db';
import { encodeId } from '@/lib/ids';

interface Named {
  id: string;
  slug: string;
  name: string;
}

/** The organization as events name it. */
export async function loadOrganization(db: TenantDb): Promise<Named> {
  const { id, slug, name } = await db.organization.findFirstOrThrow({});
  return { id: encodeId('org', id), slug, name };
}

/**
 * UUID of the project in whose feed something about an endpoint or channel stands: the one that it
 * is for, the one that it was last used for, or the newest. Null without any.
 */
export async function findFeedProject(
  db: TenantDb,
  projectId: string | null,
  chainId: string | null,
): Promise<string | null> {
  if (projectId) return projectId;
  const chain = chainId ? await db.chain.findFirst({ where: { id: chainId } }) : null;
  if (chain) return chain.projectId;
  const newest = await db.project.findFirst({ orderBy: { id: 'desc' }, select: { id: true } });
  return newest?.id ?? null;
}
