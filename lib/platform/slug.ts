import { z } from 'zod';

export const RESERVED_SLUGS = ['new', 'settings', 'api', 'all', 'me', 'system'] as const;

export const slugSchema = z
  .string()
  .min(2, 'A short name has at least 2 characters.')
  .max(40, 'A short name has at most 40 characters.')
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])$/, 'Use lowercase letters, digits and hyphens.')
  .refine(
    (slug) => !(RESERVED_SLUGS as readonly string[]).includes(slug),
    'This name is reserved.',
  );
