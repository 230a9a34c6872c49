import { endpointTransport } from '@/lib/deliveries/webhooks/service/endpoint-transport';
import { runDelivery } from '@/lib/deliveries/webhooks/service/run-delivery';
import type { TenantScope } from '@/lib/platform/db/scope';
import { env } from '@/lib/platform/env';
import { findMailer, type Mailer } from '@/lib/platform/mail/client';
import { createOutboundClient, type OutboundClient } from '@/lib/platform/outbound-http/client';
import { adminMailTransport } from './admin-mail-transport';
import { channelTransport } from './channel-transport';

export interface Senders {
  /** For addresses that users gave. */
  http: OutboundClient;
  /** For the operator's own Apprise server, which may lie in a private network. */
  trustedHttp: OutboundClient;
  /** Null where the installation sends no e-mail. */
  mailer: Mailer | null;
}

/** What this process sends with. */
export function senders(): Senders {
  return {
    http: createOutboundClient({ allowPrivate: env().allowPrivateTargets }),
    trustedHttp: createOutboundClient({ allowPrivate: true }),
    mailer: findMailer(),
  };
}

/** Sends one delivery, whoever it is for, if it is due and no other process is at it. */
export function deliver(
  scope: TenantScope,
  deliveryId: string,
  now = new Date(),
  using: Senders = senders(),
): Promise<void> {
  return runDelivery(
    scope,
    deliveryId,
    ({ endpointId, channelId }) => {
      if (endpointId) return endpointTransport(using.http);
      return channelId ? channelTransport(using) : adminMailTransport(using.mailer);
    },
    now,
  );
}
