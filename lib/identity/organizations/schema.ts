import { z } from 'zod';
import { slugSchema } from '@/lib/platform/slug';
import { isVersionEntry, MAX_LISTED_VERSIONS } from '@/lib/platform/version-list';
import { pauseSchema } from '../pauses/schema';
import { isReservedSlug } from './slug';

export const organizationNameSchema = z
  .string()
  .trim()
  .min(2, 'An organization’s name has at least 2 characters.')
  .max(80, 'An organization’s name has at most 80 characters.');

export const createOrganizationSchema = z.object({ name: organizationNameSchema });
export type CreateOrganizationInput = z.infer<typeof createOrganizationSchema>;

const deniedCliVersionsSchema = z
  .array(
    z
      .string()
      .refine(isVersionEntry, 'Enter versions such as 2.1.197, or <2.1.330 for earlier ones.'),
  )
  .max(MAX_LISTED_VERSIONS, `List at most ${MAX_LISTED_VERSIONS} versions.`)
  .transform((entries) => [...new Set(entries)]);

/** What is left out stays. */
export const changeOrganizationSchema = z.object({
  name: organizationNameSchema.optional(),
  /** The first part of every address of the organization: links with the old one end. */
  slug: slugSchema
    .refine((slug) => !isReservedSlug(slug), 'This word is a page of Tierwatch. Choose another.')
    .optional(),
  /** Versions of Claude Code that don't start. */
  deniedCliVersions: deniedCliVersionsSchema.optional(),
});
export type ChangeOrganizationInput = z.infer<typeof changeOrganizationSchema>;

/** The organization's slug, typed by whoever deletes it. */
export const deleteOrganizationSchema = z.object({ confirmSlug: z.string() });
export type DeleteOrganizationInput = z.infer<typeof deleteOrganizationSchema>;

export const organizationDtoSchema = z.object({
  /** `org_…` */
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  isDemo: z.boolean(),
  /** ISO 8601, or null while chains may start. */
  pausedAt: z.string().nullable(),
  pause: pauseSchema.nullable(),
  /** Versions of Claude Code that don't start: `2.1.197`, or `<2.1.330` for every earlier one. */
  deniedCliVersions: z.array(z.string()),
  /** The same of the whole installation, from TIERWATCH_DENIED_CLI_VERSIONS. */
  installationDeniedCliVersions: z.array(z.string()),
});
export type OrganizationDto = z.infer<typeof organizationDtoSchema>;
