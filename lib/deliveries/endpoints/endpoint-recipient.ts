import { recordAudit } from '@/lib/identity/audit/record-audit';
import { SecretBoxError } from '@/lib/platform/crypto/secret-box';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { encodeId } from '@/lib/platform/ids';
import type { OutboundClient } from '@/lib/platform/outbound-http/client';
import { cancelOpenDeliveries, type DeliveryRecord } from '../outbox/data';
import { maskAnswer, secretsOfUrl } from '../outbox/mask-answer';
import {
  ATTEMPT_TIMEOUT_MS,
  RESPONSE_EXCERPT_BYTES,
  type RecipientStep,
} from '../outbox/retry-policy';
import { httpSendResult, type Transport } from '../outbox/transport';
import { reportToAdmins } from '../report-to-admins';
import { disableEndpoint, getEndpointRow, openUrl, updateEndpointRow } from './data';
import { activeSecrets, openSecret, signWebhook } from './signing';

/** Sends to webhook endpoints: the stored bytes, with a Standard Webhooks signature per attempt. */
export function endpointTransport(client: OutboundClient): Transport {
  return {
    async prepare(db, delivery, now) {
      const endpoint = await endpointOf(db, delivery);
      if (endpoint.disabledAt) return { kind: 'cancelled' };
      const opened = openEndpoint(endpoint, now);
      if (!opened) {
        return {
          kind: 'unusable',
          error: 'secret_unreadable',
          text: 'The URL and signing secret can’t be decrypted with this installation’s key. Enter the URL again, and rotate the secret.',
        };
      }
      const { url, secrets } = opened;
      const { body } = delivery;
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Tierwatch-Webhooks/1',
        ...signWebhook({ id: encodeId('dlv', delivery.id), sentAt: now, body, secrets }),
      };
      const request = {
        url,
        method: 'POST',
        headers,
        body,
        timeoutMs: ATTEMPT_TIMEOUT_MS,
        maxResponseBytes: RESPONSE_EXCERPT_BYTES,
      } as const;
      return {
        kind: 'ready',
        headers,
        send: async () =>
          maskAnswer(httpSendResult(await client.request(request)), secretsOfUrl(url)),
      };
    },
    recipientState: endpointOf,
    applyStep: async (db, scope, delivery, step, _result, now) =>
      applyEndpointStep(db, scope, await endpointOf(db, delivery), delivery.chainId, step, now),
  };
}

function endpointOf(db: TenantDb, delivery: DeliveryRecord) {
  return getEndpointRow(db, delivery.endpointId ?? '');
}

/** Returns the decrypted URL and signing secrets; null if they were encrypted with another key. */
function openEndpoint(
  endpoint: Awaited<ReturnType<typeof getEndpointRow>>,
  now: Date,
): { url: string; secrets: [string, ...string[]] } | null {
  const { id, secretSealed, previousSecretSealed, previousSecretUntil } = endpoint;
  try {
    const secrets = activeSecrets(
      {
        current: openSecret(secretSealed, id),
        previous: previousSecretSealed && openSecret(previousSecretSealed, id),
        previousUntil: previousSecretUntil,
      },
      now,
    );
    return { url: openUrl(endpoint), secrets };
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}

/**
 * Applies the result of an attempt to its endpoint. A disabled endpoint receives nothing more, and
 * the admins are notified.
 *
 * @returns ids of the deliveries that notify them
 */
async function applyEndpointStep(
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
  const message = `${DISABLED_BECAUSE[step.reason]} Deliveries to ${host} have stopped. Fix the receiver, then enable the endpoint again.`;
  const notified = await reportToAdmins(
    db,
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
  return notified;
}

const DISABLED_BECAUSE = {
  gone: 'A webhook endpoint responded 410 Gone.',
  failing_five_days: 'A webhook endpoint has failed for five days.',
} as const;
