import { Prisma } from '@/generated/prisma/client';
import type { WebhookEventType } from '@/lib/deliveries/webhooks/schema';
import { queryRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';

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

/** Whether anybody would hear of such events: what they say need not be read otherwise. One query. */
export async function isAnyoneListening(
  db: TenantDb,
  organizationId: OrganizationId,
  types: readonly WebhookEventType[],
): Promise<boolean> {
  const [found] = await queryRaw<{ is_any: boolean }>(
    db,
    Prisma.sql`select exists (
        select from webhook_endpoint where organization_id = ${organizationId}::uuid
          and disabled_at is null and event_types && ${[...types]}::text[]
        union all
        select from notification_channel where organization_id = ${organizationId}::uuid
          and disabled_at is null and event_types && ${[...types]}::text[]
      ) as is_any`,
  );
  return found?.is_any ?? false;
}
