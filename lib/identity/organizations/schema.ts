import { z } from 'zod';
import { isVersionEntry, MAX_LISTED_VERSIONS } from '@/lib/platform/version-list';
import { pauseSchema } from '../pauses';
import { isReservedSlug, slugSchema } from './slug';

export const organizationNameSchema = z
  .string()
  .trim()
  .min(2, 'An organization’s name has at least 2 characters.')
  .max(80, 'An organization’s name has at most 80 characters.')
  .meta({ description: 'Display name.' });

export const createOrganizationSchema = z.object({ name: organizationNameSchema });
export type CreateOrganizationInput = z.infer<typeof createOrganizationSchema>;

const deniedCliVersionsSchema = z
  .array(
    z
      .string()
      .refine(isVersionEntry, 'Enter versions such as 2.1.197, or <2.1.330 for earlier ones.'),
  )
  .max(MAX_LISTED_VERSIONS, `List at most ${MAX_LISTED_VERSIONS} versions.`)
  .transform((entries) => [...new Set(entries)])
  .meta({
    description:
      'Versions of Claude Code that don’t start: `2.1.197`, or `<2.1.330` for every earlier one.',
  });

const RETENTION_RANGE = 'Enter 1 to 365 days.';

const logRetentionDaysSchema = z
  .int(RETENTION_RANGE)
  .min(1, RETENTION_RANGE)
  .max(365, RETENTION_RANGE)
  .meta({
    description:
      'Days that the log of a session is kept for after its end. Up to 7 days later, it is deleted.',
  });

/** Omitted fields keep their values. */
export const changeOrganizationSchema = z.object({
  name: organizationNameSchema.optional(),
  slug: slugSchema
    .refine((slug) => !isReservedSlug(slug), 'This name is reserved. Choose another.')
    .optional()
    .meta({ description: 'Its part of URLs. URLs with the old one stop working.' }),
  deniedCliVersions: deniedCliVersionsSchema.optional(),
  logRetentionDays: logRetentionDaysSchema.optional(),
});
export type ChangeOrganizationInput = z.infer<typeof changeOrganizationSchema>;

/** The organization's slug, typed as confirmation. */
export const deleteOrganizationSchema = z.object({ confirmSlug: z.string() });
export type DeleteOrganizationInput = z.infer<typeof deleteOrganizationSchema>;

export const organizationDtoSchema = z.object({
  /** `org_…` */
  id: z.string(),
  slug: z.string().meta({ description: 'Its part of URLs.' }),
  name: z.string().meta({ description: 'Display name.' }),
  isDemo: z.boolean(),
  /** ISO 8601, or null while chains may start. */
  pausedAt: z.string().nullable(),
  pause: pauseSchema.nullable(),
  deniedCliVersions: z.array(z.string()).meta({
    description:
      'Versions of Claude Code that don’t start: `2.1.197`, or `<2.1.330` for every earlier one.',
  }),
  installationDeniedCliVersions: z
    .array(z.string())
    .meta({ description: 'The same for the whole installation; its operator sets them.' }),
  logRetentionDays: logRetentionDaysSchema,
  requiresSecondFactor: z.boolean().meta({
    description: 'Whether members only reach it in a sign-in with a second factor.',
  }),
});
export type OrganizationDto = z.infer<typeof organizationDtoSchema>;

export const requireSecondFactorSchema = z.object({ isRequired: z.boolean() });
