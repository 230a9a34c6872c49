import { SecretBoxError } from '@/lib/crypto/secret-box';
import { inTransaction, type TenantDb } from '@/lib/db/tenant-db';
import { env } from '@/lib/env';
import { encodeId } from '@/lib/ids';
import {
  createOutboundClient,
  type OutboundClient,
  type OutboundRequest,
} from '@/lib/outbound-http/client';
import type { OutboundResult } from '@/lib/outbound-http/result';
import type { TenantScope } from '@/lib/tenancy/scope';
import { claimDelivery, insertAttempt, lockDelivery, updateDelivery } from '../deliveries/data';
import { getEndpointRow } from '../endpoints/data';
import { openSecret } from '../endpoints/sealed-secret';
import {
  ATTEMPT_TIMEOUT_MS,
  type DeliveryStep,
  decideDelivery,
  RESPONSE_EXCERPT_BYTES,
} from '../retry-policy';
import { signWebhook } from '../signing/headers';
import { activeSecrets } from '../signing/secrets';
import { applyEndpointStep } from './endpoint-step';

interface Claimed {
  endpointId: string;
  /** Sendings so far, this one included; a later one means that this was taken over. */
  attempts: number;
  request: OutboundRequest;
}

/**
 * Sends one delivery if it is due and no other process is at it, and writes down what came of it.
 * The sweep rings for the next attempt: while this job runs, the queue drops a second one of its id.
 */
export async function deliverWebhook(
  scope: TenantScope,
  deliveryId: string,
  now = new Date(),
  client: OutboundClient = createOutboundClient({ allowPrivate: env().allowPrivateTargets }),
): Promise<void> {
  const claimed = await inTransaction(scope, (db) => claim(db, scope, deliveryId, now));
  if (!claimed) return;
  const result = await client.request(claimed.request);
  const answeredAt = new Date(now.getTime() + result.durationMs);
  await inTransaction(scope, (db) =>
    recordAttempt(db, scope, deliveryId, claimed, result, { sentAt: now, answeredAt }),
  );
}

async function claim(
  db: TenantDb,
  scope: TenantScope,
  deliveryId: string,
  now: Date,
): Promise<Claimed | null> {
  const delivery = await claimDelivery(db, deliveryId, now);
  if (!delivery) return null;
  const endpoint = await getEndpointRow(db, delivery.endpointId);
  if (endpoint.disabledAt) {
    await updateDelivery(db, deliveryId, { status: 'cancelled', nextAttemptAt: null });
    return null;
  }
  const secrets = secretsOf(endpoint, now);
  if (!secrets) {
    await insertAttempt(db, scope.organizationId, {
      deliveryId,
      at: now,
      status: null,
      durationMs: 0,
      error: 'secret_unreadable',
      responseExcerpt:
        'The signing secret does not open with the key of this installation. Rotate the secret.',
    });
    await updateDelivery(db, deliveryId, { status: 'refused', nextAttemptAt: null });
    return null;
  }
  const { body } = delivery;
  const id = encodeId('dlv', delivery.id);
  return {
    endpointId: endpoint.id,
    attempts: delivery.attempts,
    request: {
      url: endpoint.url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Tierwatch-Webhooks/1',
        ...signWebhook({ id, sentAt: now, body, secrets }),
      },
      body,
      timeoutMs: ATTEMPT_TIMEOUT_MS,
      maxResponseBytes: RESPONSE_EXCERPT_BYTES,
    },
  };
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

async function recordAttempt(
  db: TenantDb,
  scope: TenantScope,
  deliveryId: string,
  claimed: Claimed,
  result: OutboundResult,
  { sentAt, answeredAt: now }: { sentAt: Date; answeredAt: Date },
): Promise<void> {
  const { organizationId } = scope;
  const delivery = await lockDelivery(db, organizationId, deliveryId);
  // Deleted with its endpoint while it was sent.
  if (!delivery) return;
  await insertAttempt(db, organizationId, {
    deliveryId,
    at: sentAt,
    status: result.status,
    durationMs: result.durationMs,
    error: result.ok ? null : result.reason,
    responseExcerpt: storableText(result.ok ? result.bodyText : result.message),
  });
  const isOurs = delivery.status === 'sending' && delivery.attempts === claimed.attempts;
  if (!isOurs) return;
  const endpoint = await getEndpointRow(db, claimed.endpointId);
  const decision = decideDelivery(result, claimed.attempts, endpoint, now);
  await updateDelivery(db, deliveryId, changesFor(decision.delivery, now));
  await applyEndpointStep(db, scope, endpoint, delivery.chainId, decision.endpoint, now);
}

// PostgreSQL's text cannot hold NUL, which a receiver may well answer.
function storableText(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD');
}

function changesFor(step: DeliveryStep, now: Date) {
  switch (step.kind) {
    case 'delivered':
      return { status: 'delivered', nextAttemptAt: null, deliveredAt: now };
    case 'retry':
      return { status: 'retrying', nextAttemptAt: step.at };
    case 'exhausted':
    case 'refused':
      return { status: step.kind, nextAttemptAt: null };
  }
}
