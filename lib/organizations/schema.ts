import { z } from 'zod';

export const organizationNameSchema = z
  .string()
  .trim()
  .min(2, 'An organization’s name has at least 2 characters.')
  .max(80, 'An organization’s name has at most 80 characters.');

export const createOrganizationSchema = z.object({ name: organizationNameSchema });
export type CreateOrganizationInput = z.infer<typeof createOrganizationSchema>;

export const organizationDtoSchema = z.object({
  /** `org_…` */
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  isDemo: z.boolean(),
  /** ISO 8601, or null while chains may start. */
  pausedAt: z.string().nullable(),
});
export type OrganizationDto = z.infer<typeof organizationDtoSchema>;
