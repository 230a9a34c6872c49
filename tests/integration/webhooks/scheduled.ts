import { announce } from '@/lib/deliveries/announce';
import { createEndpoint } from '@/lib/deliveries/endpoints/manage-endpoints';
import { getDelivery } from '@/lib/deliveries/manage-deliveries';
import type { WebhookEvent } from '@/lib/deliveries/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { makeTenant } from '../api/support/tenant';

/** A tenant with one endpoint that is subscribed to every chain's end. */
export async function makeEndpoint(url: string) {
  const { scope } = await makeTenant();
  const endpoint = await createEndpoint(scope, {
    url,
    description: '',
    eventTypes: ['chain.completed'],
    projectId: null,
  });
  return { scope, endpoint };
}

function completed(organization: string): WebhookEvent {
  return {
    type: 'chain.completed',
    timestamp: new Date().toISOString(),
    data: {
      organization: { id: organization, slug: 'acme', name: 'Acme' },
      project: { id: 'prj_1', slug: 'shop', name: 'Shöp “é”' },
      chain: {
        id: 'chn_1',
        number: 12,
        trigger: 'schedule',
        outcome: 'fixed',
        reason: null,
        explanation: '',
        highestTier: 2,
        isDryRun: false,
        startedAt: null,
        endedAt: new Date().toISOString(),
      },
      sessions: [],
      totalCostUsd: 2.5,
      servicesAffected: ['api'],
      summary: 'Chain #12 of Shop reported a fix.',
      link: 'http://127.0.0.1/acme',
    },
  };
}

/** A delivery's UUID, due now. */
export async function schedule(
  scope: TenantScope,
  occasion = 'chain.completed:1',
  now = new Date(),
) {
  const projectId = '00000000-0000-7000-8000-000000000001';
  const event = completed(encodeId('org', scope.organizationId));
  return inTransaction(scope, (db) =>
    announce(db, [{ event, projectId, chainId: null, occasion }], now),
  );
}

export async function scheduleOne(
  scope: TenantScope,
  occasion?: string,
  now?: Date,
): Promise<string> {
  const [id] = await schedule(scope, occasion, now);
  if (!id) throw new Error('Nothing was scheduled.');
  return id;
}

export const stateOf = async (scope: TenantScope, id: string) =>
  getDelivery(scope, encodeId('dlv', id));
