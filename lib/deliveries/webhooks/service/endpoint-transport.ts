import { SecretBoxError } from '@/lib/platform/crypto/secret-box';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import type { OutboundClient } from '@/lib/platform/outbound-http/client';
import type { DeliveryRecord } from '../deliveries/data';
import { httpSendResult } from '../deliveries/send-result';
import type { Transport } from '../deliveries/transport';
import { getEndpointRow } from '../endpoints/data';
import { openSecret } from '../endpoints/sealed-secret';
import { ATTEMPT_TIMEOUT_MS, RESPONSE_EXCERPT_BYTES } from '../retry-policy';
import { signWebhook } from '../signing/headers';
import { activeSecrets } from '../signing/secrets';
import { applyEndpointStep } from './endpoint-step';

/** Sends to webhook endpoints: the stored bytes, signed by Standard Webhooks for this very attempt. */
export function endpointTransport(client: OutboundClient): Transport {
  return {
    async prepare(db, delivery, now) {
      const endpoint = await endpointOf(db, delivery);
      if (endpoint.disabledAt) return { kind: 'cancelled' };
      const secrets = secretsOf(endpoint, now);
      if (!secrets) {
        return {
          kind: 'unusable',
          error: 'secret_unreadable',
          text: 'The signing secret does not open with the key of this installation. Rotate the secret.',
        };
      }
      const { body } = delivery;
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Tierwatch-Webhooks/1',
        ...signWebhook({ id: encodeId('dlv', delivery.id), sentAt: now, body, secrets }),
      };
      const request = {
        url: endpoint.url,
        method: 'POST',
        headers,
        body,
        timeoutMs: ATTEMPT_TIMEOUT_MS,
        maxResponseBytes: RESPONSE_EXCERPT_BYTES,
      } as const;
      return {
        kind: 'ready',
        headers,
        send: async () => httpSendResult(await client.request(request)),
      };
    },
    recipientState: endpointOf,
    applyStep: async (db, scope, delivery, step, now) =>
      applyEndpointStep(db, scope, await endpointOf(db, delivery), delivery.chainId, step, now),
  };
}

function endpointOf(db: TenantDb, delivery: DeliveryRecord) {
  return getEndpointRow(db, delivery.endpointId ?? '');
}

/** Null when they were sealed with another key. */
function secretsOf(
  endpoint: Awaited<ReturnType<typeof getEndpointRow>>,
  now: Date,
): [string, ...string[]] | null {
  const { id, secretSealed, previousSecretSealed, previousSecretUntil } = endpoint;
  try {
    return activeSecrets(
      {
        current: openSecret(secretSealed, id),
        previous: previousSecretSealed && openSecret(previousSecretSealed, id),
        previousUntil: previousSecretUntil,
      },
      now,
    );
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}
