/** Requests of sources: what becomes of them, and how they are shown. */

import { z } from 'zod';
import { signalDtoSchema } from './schema';
import { mappingSchema } from './source-schema';

export const REQUEST_STATES = ['received', 'processed', 'unparsed', 'rejected'] as const;
const requestStateSchema = z.enum(REQUEST_STATES);

/** Why a request was rejected. */
export const REJECTIONS = [
  'too_large',
  'wrong_token',
  'bad_signature',
  'stale_signature',
  'disabled',
] as const;
export type Rejection = (typeof REJECTIONS)[number];

/** Why a stored body is no alert to Tierwatch. */
const PARSE_FAILURES = ['not_json', 'unknown_shape', 'no_status', 'no_title'] as const;
export type ParseFailure = (typeof PARSE_FAILURES)[number];

export const REQUEST_REASONS = [...REJECTIONS, ...PARSE_FAILURES] as const;
const requestReasonSchema = z.enum(REQUEST_REASONS);
export type RequestReason = z.infer<typeof requestReasonSchema>;

/** What a processed request was. */
export const REQUEST_RESULTS = [
  'alerts',
  'test_received',
  'event_ignored',
  'event_too_old',
  'own_incident',
] as const;
const requestResultSchema = z.enum(REQUEST_RESULTS);
export type RequestResult = z.infer<typeof requestResultSchema>;

export const signalRequestDtoSchema = z.object({
  /** `ald_…` */
  id: z.string(),
  state: requestStateSchema,
  reason: requestReasonSchema.nullable(),
  result: requestResultSchema.nullable(),
  bodyBytes: z.number().int(),
  excerpt: z
    .string()
    .nullable()
    .meta({ description: 'How the body begins, of one that can’t be read as an alert.' }),
  headers: z.record(z.string(), z.string()),
  repeats: z.number().int(),
  alertCount: z.number().int(),
  skippedCount: z.number().int(),
  truncatedCount: z.number().int().meta({ description: 'Alerts that the sender cut off.' }),
  receivedAt: z.string(),
  processedAt: z.string().nullable(),
});
export type SignalRequestDto = z.infer<typeof signalRequestDtoSchema>;

export const previewBodySchema = z.object({
  body: z
    .string()
    .max(500_000, 'A body has at most 500,000 characters here.')
    .meta({ description: 'A body as the sender would post it, as text.' }),
  mapping: mappingSchema
    .optional()
    .meta({ description: 'A mapping that isn’t saved yet; otherwise the one of the source.' }),
});
export type PreviewBody = z.infer<typeof previewBodySchema>;

export const signalPreviewSchema = z.object({
  result: z.union([requestResultSchema, z.literal('unparsed')]),
  reason: requestReasonSchema.nullable(),
  skippedCount: z.number().int(),
  truncatedCount: z.number().int(),
  alerts: z.array(
    signalDtoSchema
      .pick({
        fingerprint: true,
        status: true,
        kind: true,
        severity: true,
        serviceText: true,
        service: true,
        rule: true,
        link: true,
        labels: true,
        annotations: true,
      })
      .extend({ startsAt: z.string().nullable(), title: z.string().nullable() }),
  ),
});
export type SignalPreview = z.infer<typeof signalPreviewSchema>;
