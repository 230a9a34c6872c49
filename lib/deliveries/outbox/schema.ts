/** Deliveries and their attempts as the log shows them. */

import { z } from 'zod';

export const DELIVERY_STATUSES = [
  'scheduled',
  'sending',
  'retrying',
  'delivered',
  'exhausted',
  'refused',
  'cancelled',
] as const;
export const deliveryStatusSchema = z.enum(DELIVERY_STATUSES);
export type DeliveryStatus = z.infer<typeof deliveryStatusSchema>;

export const headersSchema = z.record(z.string(), z.string());

const deliveryAttemptDtoSchema = z.object({
  number: z.number().int(),
  at: z.string(),
  /** HTTP status of the answer; null without an answer. */
  status: z.number().int().nullable(),
  durationMs: z.number().int(),
  /** Named reason of a failure: connection_timeout, private_address, … */
  error: z.string().nullable(),
  /** The first 4,096 bytes of the answer. */
  responseExcerpt: z.string(),
  /** Headers of the request and the answer, names in lower case; null without any. */
  requestHeaders: headersSchema.nullable(),
  responseHeaders: headersSchema.nullable(),
});

export const deliveryDtoSchema = z.object({
  /** `dlv_…`; also the webhook-id header. */
  id: z.string(),
  /** `whk_…` */
  endpointId: z.string(),
  /** `chn_…` */
  chainId: z.string().nullable(),
  eventType: z.string(),
  status: deliveryStatusSchema,
  /** Attempts since it was created or replayed. */
  attempts: z.number().int(),
  nextAttemptAt: z.string().nullable(),
  deliveredAt: z.string().nullable(),
  createdAt: z.string(),
  /** The exact bytes that are signed and sent. */
  body: z.string(),
  log: z.array(deliveryAttemptDtoSchema),
});
export type DeliveryDto = z.infer<typeof deliveryDtoSchema>;
