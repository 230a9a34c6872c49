import { sayDisabled } from '@/lib/deliveries/notifications/service/say-disabled';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { encodeId } from '@/lib/platform/ids';
import { cancelOpenDeliveries } from '../deliveries/data';
import { disableEndpoint, updateEndpointRow } from '../endpoints/data';
import type { RecipientStep } from '../retry-policy';

/**
 * What one attempt means for its endpoint. A disabled one gets nothing more, and people are told.
 *
 * @returns ids of the deliveries that tell them
 */
export async function applyEndpointStep(
  db: TenantDb,
  scope: TenantScope,
  endpoint: { id: string; url: string; projectId: string | null; failingSince: Date | null },
  chainId: string | null,
  step: RecipientStep,
  now: Date,
): Promise<string[]> {
  if (step.kind !== 'disable') {
    const failingSince = step.kind === 'failing' ? step.since : null;
    const isNews = (failingSince === null) !== (endpoint.failingSince === null);
    if (isNews) await updateEndpointRow(db, endpoint.id, { failingSince });
    return [];
  }
  if (!(await disableEndpoint(db, endpoint.id, step.reason, now))) return [];
  await cancelOpenDeliveries(db, { endpointId: endpoint.id });
  const { host } = new URL(endpoint.url);
  const id = encodeId('whk', endpoint.id);
  const message = `${DISABLED_BECAUSE[step.reason]} Deliveries to ${host} have stopped. Mend the receiver, then enable the endpoint again.`;
  const told = await sayDisabled(
    db,
    scope.organizationId,
    {
      code: 'WEBHOOK_DISABLED',
      title: `Webhook endpoint ${host} is disabled`,
      message,
      projectId: endpoint.projectId,
      chainId,
      linkOf: (slug) => ({ url: `${env().publicUrl}/${slug}/webhooks/${id}`, label: 'Open it' }),
      occasion: `webhook.disabled:${endpoint.id}:${now.getTime()}`,
    },
    now,
  );
  await recordAudit(db, scope, {
    action: 'webhook_endpoint.disabled',
    target: id,
    projectId: endpoint.projectId,
    detail: { reason: step.reason, message },
  });
  return told;
}

const DISABLED_BECAUSE = {
  gone: 'A webhook endpoint answered 410 Gone.',
  failing_five_days: 'A webhook endpoint has failed for five days.',
} as const;
