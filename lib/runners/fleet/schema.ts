/** Runners as they are shown, and how a new one is let in. */
import { z } from 'zod';
import { postureSchema } from '@/lib/runner-protocol/schema';
import { tierSchema } from '@/lib/runner-protocol/spec';

export const runnerDtoSchema = z.object({
  /** `rnr_…` */
  id: z.string(),
  name: z.string(),
  pool: z.string(),
  allowedTiers: z.array(z.number().int()),
  /** never: it has not been heard of since it was enrolled. */
  status: z.enum(['online', 'offline', 'draining', 'paused', 'revoked', 'never']),
  slots: z.number().int(),
  slotsInUse: z.number().int(),
  /** What the host said of itself at its last heartbeat. */
  posture: postureSchema.nullable(),
  createdAt: z.string(),
  lastSeenAt: z.string().nullable(),
  drainingAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
});
export type RunnerDto = z.infer<typeof runnerDtoSchema>;

export const createEnrolmentSchema = z.strictObject({
  /** Made when the organization has none of that name. */
  pool: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .regex(/^[a-z0-9][a-z0-9-]*$/, 'Use small letters, digits and hyphens.')
    .default('default'),
  allowedTiers: z
    .array(tierSchema)
    .min(1, 'Choose at least one tier.')
    .default([1, 2, 3])
    .transform((tiers) => [...new Set(tiers)].sort()),
});
export type CreateEnrolmentInput = z.infer<typeof createEnrolmentSchema>;

export const enrolmentDtoSchema = z.object({
  /** `enr_…` */
  id: z.string(),
  /** Shown once, good for one runner. */
  token: z.string(),
  pool: z.string(),
  allowedTiers: z.array(z.number().int()),
  expiresAt: z.string(),
});
export type EnrolmentDto = z.infer<typeof enrolmentDtoSchema>;
