import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { encodeId } from '@/lib/platform/ids';
import { loadOrganization } from './notifications/about/data';
import { announce } from './notifications/service/announce';
import type { WebhookEvent } from './webhooks/schema';

/** Tells whoever wants to hear of it that a runner has fallen silent. `runnerId` is a UUID. */
export async function announceOffline(
  db: TenantDb,
  scope: TenantScope,
  runner: { runnerId: string; name: string; pool: string; lastSeenAt: Date },
  now: Date,
): Promise<string[]> {
  const { runnerId, name, pool } = runner;
  const organization = await loadOrganization(db);
  const id = encodeId('rnr', runnerId);
  const lastSeenAt = runner.lastSeenAt.toISOString();
  const event: WebhookEvent = {
    type: 'runner.offline',
    timestamp: now.toISOString(),
    data: {
      organization,
      summary: `Runner ${name} of pool ${pool} stopped answering at ${clock(lastSeenAt)} UTC. Check that its host is up and reaches this address.`,
      link: `${env().publicUrl}/${organization.slug}/runners/${id}`,
      runner: { id, name, pool, lastSeenAt },
    },
  };
  const occasion = `runner.offline:${runnerId}:${runner.lastSeenAt.getTime()}`;
  const happening = { event, projectId: null, chainId: null, occasion };
  return announce(db, scope.organizationId, [happening], now);
}

/** `14:40` of `2026-11-21T14:40:02.000Z`. */
function clock(iso: string): string {
  return iso.slice(11, 16);
}
