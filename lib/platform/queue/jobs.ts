/** A job about a row is declared once: its name, what its payload holds, and how often it is tried. */
import { z } from 'zod';

export interface JobDefinition<Payload> {
  name: string;
  payload: z.ZodType<Payload>;
  /** The workers that handle it; the control plane's own queue by default. */
  queue?: 'deliveries';
  /** A repeat with the same id while the first waits is dropped, so a row is enqueued once. */
  id(payload: Payload): string;
  attempts: number;
  backoffMs: number;
}

function defineJob<Payload>(definition: JobDefinition<Payload>): JobDefinition<Payload> {
  return definition;
}

const organizationId = z.uuid();

export const settleAttemptJob = defineJob({
  name: 'attempt.settle',
  payload: z.object({ organizationId, attemptId: z.uuid() }),
  id: (payload) => `settle-${payload.attemptId}`,
  attempts: 5,
  backoffMs: 200,
});

export const deliverWebhookJob = defineJob({
  name: 'webhook.deliver',
  // Apart, so that receivers which hang hold up messages and never a chain.
  queue: 'deliveries',
  /** `after`: the delivery whose end enqueued it. A job of the same id that is about to end would swallow it. */
  payload: z.object({ organizationId, deliveryId: z.uuid(), after: z.uuid().optional() }),
  id: ({ deliveryId, after }) => `delivery-${deliveryId}${after ? `-after-${after}` : ''}`,
  attempts: 1,
  backoffMs: 0,
});
