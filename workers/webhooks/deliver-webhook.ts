import { scopeOfSystem } from '@/lib/tenancy/make-scope';
import { deliverWebhook as deliver } from '@/lib/webhooks/service/deliver-webhook';

export async function deliverWebhook(payload: {
  organizationId: string;
  deliveryId: string;
}): Promise<void> {
  await deliver(scopeOfSystem(payload.organizationId, 'Webhooks'), payload.deliveryId);
}
