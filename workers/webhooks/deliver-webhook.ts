import { deliver } from '@/lib/notifications/service/deliver';
import { scopeOfSystem } from '@/lib/tenancy/make-scope';

export async function deliverWebhook(payload: {
  organizationId: string;
  deliveryId: string;
}): Promise<void> {
  await deliver(scopeOfSystem(payload.organizationId, 'Webhooks'), payload.deliveryId);
}
