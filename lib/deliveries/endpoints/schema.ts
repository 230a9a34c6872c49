/** Endpoints as they are saved and shown. */

import { z } from 'zod';
import { env } from '@/lib/platform/env';
import type { TargetRules } from '@/lib/platform/outbound-http/target-policy';
import { MASK, webhookEndpointSchema } from '../schema';

export function createEndpointSchema(rules: TargetRules) {
  return webhookEndpointSchema(rules).extend({
    projectId: z
      .string()
      .nullable()
      .default(null)
      .meta({ description: 'Only this project, by id or slug; null: all of them.' }),
  });
}
export type CreateEndpointInput = z.infer<ReturnType<typeof createEndpointSchema>>;

/** Fields that are left out stay unchanged. */
export function updateEndpointSchema(rules: TargetRules) {
  const { url, description, eventTypes } = webhookEndpointSchema(rules).shape;
  return z.object({
    url: url.optional(),
    description: description.unwrap().optional(),
    eventTypes: eventTypes.optional(),
    isEnabled: z.boolean().optional().meta({
      description:
        'False disables the endpoint and cancels pending deliveries; true enables it and resets its failures.',
    }),
  });
}
export type UpdateEndpointInput = z.infer<ReturnType<typeof updateEndpointSchema>>;

export const endpointDtoSchema = z.object({
  /** `whk_…` */
  id: z.string(),
  url: z.string().meta({
    description:
      'Where events are sent. Below admin without path and query, which often hold a secret.',
  }),
  description: z.string().meta({ description: 'Your own words.' }),
  eventTypes: z.array(z.string()).meta({ description: 'Events it is subscribed to.' }),
  projectId: z
    .string()
    .nullable()
    .meta({ description: 'Only this project, `prj_…`; null: all of them.' }),
  /**
   * The last four characters of the signing secret; empty for secrets made before hints were
   * stored.
   */
  secretHint: z.string(),
  createdAt: z.string(),
  /** The first failure since the last success. */
  failingSince: z.string().nullable(),
  disabledAt: z.string().nullable(),
  /** `gone` (it answered 410), `failing_five_days` or `by_hand`. */
  disabledReason: z.string().nullable(),
  /** Until when the secret before the last rotation also signs. */
  previousSecretUntil: z.string().nullable(),
});
export type EndpointDto = z.infer<typeof endpointDtoSchema>;

/**
 * The result of creating an endpoint or rotating its secret, the only times that the secret is
 * shown.
 */
export const endpointWithSecretSchema = endpointDtoSchema.extend({
  secret: z.string().meta({ description: 'Signs the deliveries. Shown only once.' }),
});
export type EndpointWithSecret = z.infer<typeof endpointWithSecretSchema>;

/** `https://hooks.example.com/••••`: a URL without what often holds the receiver's secret. */
export function maskUrl(text: string): string {
  const url = URL.parse(text);
  if (!url) return MASK;
  const isBare = url.pathname === '/' && !url.search && !url.hash;
  return `${url.protocol}//${url.host}/${isBare ? '' : MASK}`;
}

/**
 * Read when a URL is checked and not when a route is loaded, because `next build` has no
 * environment.
 */
export const TARGET_RULES: TargetRules = {
  get allowPrivate() {
    return env().allowPrivateTargets;
  },
};
