import { loadOrganization } from '@/lib/deliveries/notifications/about/data';
import { announce } from '@/lib/deliveries/notifications/service/announce';
import type { WebhookEvent } from '@/lib/deliveries/webhooks/schema';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { encodeId } from '@/lib/platform/ids';
import { enqueue } from '@/lib/platform/queue/enqueue';
import { deliverWebhookJob } from '@/lib/platform/queue/jobs';
import { rowByRow } from '@/lib/platform/row-by-row';
import { OFFLINE_AFTER_SECONDS } from '../fleet/status';
import { claimSilence, findPresence, listSilentRunners } from './data';

/**
 * Tells whoever wants to hear of it that a runner has fallen silent, once for each silence. While
 * the runner API itself was away nobody is called offline.
 *
 * @returns how many runners were told of
 */
export async function reportOfflineRunners(now = new Date()): Promise<number> {
  const presence = await findPresence();
  const mayJudge =
    presence !== null && isOlder(presence.continuousSince, now) && !isOlder(presence.lastAt, now);
  if (!mayJudge) return 0;
  const silent = await listSilentRunners(now);
  return rowByRow('silent runners', silent, ({ organizationId, id }) =>
    reportOffline(scopeOfSystem(organizationId, 'Runner watch'), id, now),
  );
}

function isOlder(at: Date, now: Date): boolean {
  return now.getTime() - at.getTime() > OFFLINE_AFTER_SECONDS * 1_000;
}

async function reportOffline(scope: TenantScope, runnerId: string, now: Date): Promise<void> {
  const deliveries = await inTransaction(scope, async (db) => {
    const runner = await claimSilence(db, runnerId, now);
    if (!runner) return [];
    const organization = await loadOrganization(db);
    const id = encodeId('rnr', runner.id);
    const lastSeenAt = runner.lastSeenAt.toISOString();
    const event: WebhookEvent = {
      type: 'runner.offline',
      timestamp: now.toISOString(),
      data: {
        organization,
        summary: `Runner ${runner.name} of pool ${runner.pool.name} stopped answering at ${clock(lastSeenAt)} UTC. Check that its host is up and reaches this address.`,
        link: `${env().publicUrl}/${organization.slug}/runners/${id}`,
        runner: { id, name: runner.name, pool: runner.pool.name, lastSeenAt },
      },
    };
    const occasion = `runner.offline:${runner.id}:${runner.lastSeenAt.getTime()}`;
    const happening = { event, projectId: null, chainId: null, occasion };
    return announce(db, scope.organizationId, [happening], now);
  });
  for (const deliveryId of deliveries) {
    await enqueue(deliverWebhookJob, { organizationId: scope.organizationId, deliveryId });
  }
}

/** `14:40` of `2026-11-21T14:40:02.000Z`. */
function clock(iso: string): string {
  return iso.slice(11, 16);
}
