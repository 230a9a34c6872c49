import { recordAudit } from '@/lib/audit/data';
import type { TenantDb } from '@/lib/db/tenant-db';
import { recordNotices } from '@/lib/events/data';
import { encodeId } from '@/lib/ids';
import type { TenantScope } from '@/lib/tenancy/scope';
import { cancelOpenDeliveries } from '../deliveries/data';
import { disableEndpoint, updateEndpointRow } from '../endpoints/data';
import type { EndpointStep } from '../retry-policy';

/** What one attempt means for its endpoint. A disabled one gets nothing more, and people are told. */
export async function applyEndpointStep(
  db: TenantDb,
  scope: TenantScope,
  endpoint: { id: string; url: string; projectId: string | null; failingSince: Date | null },
  chainId: string | null,
  step: EndpointStep,
  now: Date,
): Promise<void> {
  if (step.kind === 'healthy') {
    if (endpoint.failingSince) await updateEndpointRow(db, endpoint.id, { failingSince: null });
    return;
  }
  if (step.kind === 'failing') {
    if (!endpoint.failingSince) {
      await updateEndpointRow(db, endpoint.id, { failingSince: step.since });
    }
    return;
  }
  if (!(await disableEndpoint(db, endpoint.id, step.reason, now))) return;
  await cancelOpenDeliveries(db, endpoint.id);
  const message = `${DISABLED_BECAUSE[step.reason]} Deliveries to ${new URL(endpoint.url).host} have stopped. Mend the receiver, then enable the endpoint again.`;
  const chain = chainId ? await db.chain.findFirst({ where: { id: chainId } }) : null;
  const projectId = endpoint.projectId ?? chain?.projectId;
  if (projectId) {
    await recordNotices(
      db,
      scope.organizationId,
      [
        {
          projectId,
          chainId,
          sessionId: null,
          level: 'critical',
          code: 'WEBHOOK_DISABLED',
          message,
        },
      ],
      now,
    );
  }
  await recordAudit(db, scope, {
    action: 'webhook_endpoint.disabled',
    target: encodeId('whk', endpoint.id),
    detail: { reason: step.reason, message },
  });
}

const DISABLED_BECAUSE = {
  gone: 'A webhook endpoint answered 410 Gone.',
  failing_five_days: 'A webhook endpoint has failed for five days.',
} as const;
