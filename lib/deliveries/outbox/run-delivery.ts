import { setTimeout } from 'node:timers/promises';
import { afterCommit } from '@/lib/platform/db/raw';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { sanitizeForPostgres } from '@/lib/platform/format/text';
import { enqueue } from '@/lib/platform/queue/enqueue';
import { deliverWebhookJob } from '@/lib/platform/queue/jobs';
import { type DeliveryRecord, insertAttempt, lockDelivery, updateDelivery } from './data';
import { notificationsSent } from './metrics';
import { notificationResult, recipientKind } from './notification-labels';
import { type DeliveryStep, decideDelivery, retryAfterSeconds } from './retry-policy';
import { claimDelivery, listDueOfSameRecipient, postponeDue } from './sending-data';
import { keptHeaders, type Prepared, type SendResult, type Transport } from './transport';

interface Claimed {
  delivery: DeliveryRecord;
  transport: Transport;
  ready: Extract<Prepared, { kind: 'ready' }>;
}

/**
 * Sends one delivery, if it is due and no other process is sending it, and records the result.
 *
 * 1. Claim it, in a transaction that also reads what to send.
 * 2. Send it, outside of any transaction. If the process dies here, the lease expires and the
 *   message is sent again under the same id.
 * 3. Record the attempt and its outcome, then enqueue what waits for the same recipient.
 */
export async function runDelivery(
  scope: TenantScope,
  deliveryId: string,
  transportOf: (delivery: DeliveryRecord) => Transport,
  now: Date,
): Promise<void> {
  const claimed = await claimInTurn(() =>
    inTransaction(scope, (db) => claim(db, deliveryId, transportOf, now)),
  );
  if (!claimed) return;
  const result = await claimed.ready.send();
  const answeredAt = new Date(now.getTime() + result.durationMs);
  const due = await inTransaction(scope, async (db) => [
    ...(await recordAttempt(db, scope, claimed, result, { sentAt: now, answeredAt })),
    ...(await listDueOfSameRecipient(db, claimed.delivery, answeredAt)),
  ]);
  const about = { organizationId: scope.organizationId, after: deliveryId };
  for (const id of due) await enqueue(deliverWebhookJob, { ...about, deliveryId: id });
}

const CLAIM_TRIES = 10;
const CLAIM_PAUSE_MS = 20;

/**
 * Tries again while another process claims for the same recipient: that one may find nothing to send, and then
 * enqueues nothing.
 */
async function claimInTurn(tryToClaim: () => Promise<Claimed | 'busy' | null>) {
  for (let tries = 1; tries <= CLAIM_TRIES; tries += 1) {
    const claimed = await tryToClaim();
    if (claimed !== 'busy') return claimed;
    await setTimeout(CLAIM_PAUSE_MS * (1 + Math.random()));
  }
  return null;
}

async function claim(
  db: TenantDb,
  deliveryId: string,
  transportOf: (delivery: DeliveryRecord) => Transport,
  now: Date,
): Promise<Claimed | 'busy' | null> {
  const delivery = await claimDelivery(db, deliveryId, now);
  if (!delivery || delivery === 'busy') return delivery;
  const transport = transportOf(delivery);
  const prepared = await transport.prepare(db, delivery, now);
  switch (prepared.kind) {
    case 'ready':
      return { delivery, transport, ready: prepared };
    case 'cancelled':
      await updateDelivery(db, deliveryId, { status: 'cancelled', nextAttemptAt: null });
      return null;
    case 'held':
      await updateDelivery(db, deliveryId, {
        status: 'scheduled',
        // Nothing was tried.
        attempts: delivery.attempts - 1,
        nextAttemptAt: prepared.until,
        heldAt: delivery.heldAt ?? now,
        heldIncidentId: prepared.incidentId,
      });
      return null;
    case 'unusable':
      await insertAttempt(db, {
        deliveryId,
        at: now,
        status: null,
        durationMs: 0,
        error: prepared.error,
        responseExcerpt: prepared.text,
      });
      await updateDelivery(db, deliveryId, { status: 'refused', nextAttemptAt: null });
      return null;
  }
}

async function recordAttempt(
  db: TenantDb,
  scope: TenantScope,
  { delivery: sent, transport, ready }: Claimed,
  result: SendResult,
  { sentAt, answeredAt: now }: { sentAt: Date; answeredAt: Date },
): Promise<string[]> {
  const delivery = await lockDelivery(db, sent.id);
  // It was deleted with its recipient while it was being sent.
  if (!delivery) return [];
  await insertAttempt(db, {
    deliveryId: delivery.id,
    at: sentAt,
    status: result.status,
    durationMs: result.durationMs,
    error: result.error,
    responseExcerpt: sanitizeForPostgres(result.text),
    requestHeaders: ready.headers,
    responseHeaders: keptHeaders(result.responseHeaders),
  });
  // Another process has claimed it, or a person replayed or canceled it.
  if (delivery.status !== 'sending' || delivery.attempts !== sent.attempts) return [];
  const state = await transport.recipientState(db, delivery);
  const decision = decideDelivery(result, delivery.attempts, state, now);
  afterCommit(db, () =>
    notificationsSent.add({
      channel: recipientKind(delivery, state.kind ?? null),
      result: notificationResult(decision),
    }),
  );
  await updateDelivery(db, delivery.id, changesFor(decision.delivery, now));
  const waitSeconds = result.status === 429 ? retryAfterSeconds(result.retryAfter, now) : 0;
  if (waitSeconds > 0 && delivery.channelId) {
    await postponeDue(db, delivery.channelId, new Date(now.getTime() + waitSeconds * 1_000));
  }
  return transport.applyStep(db, scope, delivery, decision.recipient, result, now);
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
