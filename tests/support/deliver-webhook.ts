import { deliver } from '@/lib/deliveries/deliver';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { OutboundClient } from '@/lib/platform/outbound-http/client';

/** Sends one delivery by `client`, as the worker would; no mail server is there. */
export function deliverWebhook(
  scope: TenantScope,
  deliveryId: string,
  now: Date,
  client: OutboundClient,
): Promise<void> {
  return deliver(scope, deliveryId, now, { http: client, trustedHttp: client, mailer: null });
}
