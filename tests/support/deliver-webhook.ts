import { deliver } from '@/lib/notifications/service/deliver';
import type { OutboundClient } from '@/lib/outbound-http/client';
import type { TenantScope } from '@/lib/tenancy/scope';

/** Sends one delivery by `client`, as the worker would; no mail server is there. */
export function deliverWebhook(
  scope: TenantScope,
  deliveryId: string,
  now: Date,
  client: OutboundClient,
): Promise<void> {
  return deliver(scope, deliveryId, now, { http: client, trustedHttp: client, mailer: null });
}
