/** Runners as they are shown, and how a new one is enrolled. */

import { z } from 'zod';
import { pauseSchema } from '@/lib/identity/pauses';
import { capabilitiesSchema } from '@/lib/protocol/schema';
import { tierSchema } from '@/lib/protocol/spec';

const runnerProblemSchema = z.object({
  code: z.enum([
    'never_connected',
    'offline',
    'key_shared',
    'cli_unusable',
    'cli_untested',
    'cli_reads_files',
    'cli_denied',
    'outdated',
    'update_failed',
    'clock_skew',
  ]),
  message: z.string().meta({ description: 'What is wrong, and what to check on the host.' }),
});
export type RunnerProblem = z.infer<typeof runnerProblemSchema>;

const runnerUpdateSchema = z.object({
  isAvailable: z.boolean().meta({
    description: 'The runner can update itself, and this installation has another version.',
  }),
  obstacle: z
    .string()
    .nullable()
    .meta({ description: 'Why it can’t update itself, and what to do instead; null if it can.' }),
  state: z.enum(['none', 'waiting', 'running', 'failed']).meta({
    description:
      'waiting: until no other runner of its pool is updated; failed: it continues with its previous version.',
  }),
  requestedAt: z.string().nullable(),
  failedAt: z.string().nullable(),
  failure: z.string().nullable().meta({ description: 'Why the last update failed.' }),
});
export type RunnerUpdate = z.infer<typeof runnerUpdateSchema>;

export const runnerDtoSchema = z.object({
  /** `rnr_…` */
  id: z.string(),
  name: z.string(),
  /** `enr_…`: the token that enrolled it; null for the installation's own runner. */
  enrolmentId: z.string().nullable(),
  pool: z.string().meta({ description: 'Name of its pool.' }),
  allowedTiers: z.array(z.number().int()).meta({ description: 'Tiers the runner may run.' }),
  /** `never`: no contact since the enrolment. */
  status: z.enum(['online', 'offline', 'draining', 'paused', 'revoked', 'never']),
  /** Attempts at once: the smaller of what the host offers and `slotLimit`. */
  slots: z.number().int(),
  slotLimit: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'Maximum concurrent attempts; null: the runner’s own setting.' }),
  slotsInUse: z.number().int(),
  /** Problems, worst first. */
  problems: z.array(runnerProblemSchema),
  /** What the host reported at its last heartbeat. */
  capabilities: capabilitiesSchema.nullable(),
  posture: capabilitiesSchema
    .nullable()
    .meta({ description: 'The former name of `capabilities`.' }),
  createdAt: z.string(),
  lastSeenAt: z.string().nullable(),
  drainingAt: z.string().nullable(),
  pause: pauseSchema.nullable(),
  revokedAt: z.string().nullable(),
  /** When the host last exchanged its key. */
  keyChangedAt: z.string().nullable(),
  /** Set while a new key waits until the host fetches and confirms it. */
  rotationRequestedAt: z.string().nullable(),
  /** Its program, compared with this installation's. */
  update: runnerUpdateSchema,
});
export type RunnerDto = z.infer<typeof runnerDtoSchema>;

const allowedTiersSchema = z
  .array(tierSchema)
  .min(1, 'Choose at least one tier.')
  .transform((tiers) => [...new Set(tiers)].sort())
  .meta({ description: 'Tiers the runner may run.' });

const slotLimitSchema = z
  .number({ error: 'Enter a whole number from 1 to 200.' })
  .int('Enter a whole number from 1 to 200.')
  .min(1, 'Enter a whole number from 1 to 200.')
  .max(200, 'Enter a whole number from 1 to 200.')
  .nullable()
  .meta({ description: 'Maximum concurrent attempts; null: the runner’s own setting.' });

/** What an admin can set about a runner. It applies immediately. */
export const setRunnerSchema = z
  .strictObject({
    allowedTiers: allowedTiersSchema.optional(),
    slotLimit: slotLimitSchema.optional(),
  })
  .refine((input) => Object.keys(input).length > 0, 'Give at least one field to change.');
export type SetRunnerInput = z.infer<typeof setRunnerSchema>;

export const createEnrolmentSchema = z.strictObject({
  pool: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .regex(/^[a-z0-9][a-z0-9-]*$/, 'Use lowercase letters, digits and hyphens.')
    .default('default')
    .meta({ description: 'Name of the pool; created if it doesn’t exist.' }),
  allowedTiers: allowedTiersSchema.default([1, 2, 3]),
  slotLimit: slotLimitSchema.optional(),
});
export type CreateEnrolmentInput = z.infer<typeof createEnrolmentSchema>;

export const enrolmentDtoSchema = z.object({
  /** `enr_…` */
  id: z.string(),
  token: z.string().meta({ description: 'Enrolls one runner. Shown only once.' }),
  pool: z.string().meta({ description: 'Name of the pool that the runner joins.' }),
  allowedTiers: z.array(z.number().int()).meta({ description: 'Tiers the runner may run.' }),
  slotLimit: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'Maximum concurrent attempts; null: the runner’s own setting.' }),
  expiresAt: z.string(),
  command: z.string().meta({
    description:
      'Shell command that fetches the runner, verifies its checksum, enrolls the host and runs it. Needs Node 20.19 or newer. Contains the token.',
  }),
  serviceCommand: z.string().meta({
    description: 'The same, but installs the runner as a systemd service. Contains the token.',
  }),
  checkoutCommand: z.string().meta({
    description: 'Shell command for a host with a checkout of Tierwatch. Contains the token.',
  }),
});
export type EnrolmentDto = z.infer<typeof enrolmentDtoSchema>;

export const updateRunnersSchema = z.strictObject({
  pool: z.string().optional().meta({ description: 'Name of the only pool to update.' }),
});
export type UpdateRunnersInput = z.infer<typeof updateRunnersSchema>;
