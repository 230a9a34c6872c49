import { deliver } from '@/lib/deliveries/deliver';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';

export async function deliverWebhook(payload: {
  organizationId: string;
  deliveryId: string;
}): Promise<void> {
  await deliver(scopeOfSystem(payload.organizationId, 'Webhooks'), payload.deliveryId);
}
