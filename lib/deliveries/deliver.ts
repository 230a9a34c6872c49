import type { TenantScope } from '@/lib/platform/db/scope';
import { env } from '@/lib/platform/env';
import { findMailer } from '@/lib/platform/mail';
import { createOutboundClient } from '@/lib/platform/outbound-http/client';
import { channelTransport } from './channels/channel-recipient';
import type { Senders } from './channels/kind';
import { endpointTransport } from './endpoints/endpoint-recipient';
import { adminMailTransport } from './mail';
import { runDelivery } from './outbox/run-delivery';
import { pageMailTransport } from './page';
import { PAGED_EVENT } from './paged-event';

/** Returns the clients that this process sends with. */
function senders(): Senders {
  return {
    http: createOutboundClient({ allowPrivate: env().allowPrivateTargets }),
    trustedHttp: createOutboundClient({ allowPrivate: true }),
    mailer: findMailer(),
  };
}

/** Sends one delivery to its recipient, if it is due and no other process is sending it. */
export function deliver(
  scope: TenantScope,
  deliveryId: string,
  now = new Date(),
  using: Senders = senders(),
): Promise<void> {
  return runDelivery(
    scope,
    deliveryId,
    ({ endpointId, channelId, eventType }) => {
      if (endpointId) return endpointTransport(using.http);
      if (channelId) return channelTransport(using);
      const isPage = eventType === PAGED_EVENT;
      return isPage ? pageMailTransport(using.mailer) : adminMailTransport(using.mailer);
    },
    now,
  );
}
