import { z } from 'zod';

/** An organization's slug is the first part of a path, so it may be none of our own. */
const RESERVED_PATHS = [
  '_next',
  'admin',
  'assets',
  'demo-account',
  'docs',
  'favicon',
  'healthz',
  'help',
  'icon',
  'invite',
  'login',
  'logout',
  'orgs',
  'public',
  'readyz',
  'metrics',
  'reset',
  'robots',
  'sign-in',
  'sign-out',
  'sign-up',
  'sitemap',
  'static',
  'support',
  'www',
];

const MAX_LENGTH = 40;

export function isReservedSlug(slug: string): boolean {
  return RESERVED_PATHS.includes(slug) || (RESERVED_SLUGS as readonly string[]).includes(slug);
}

/** `Café Ümlaut & Co.` becomes `cafe-umlaut-co`; a name without Latin letters becomes `team`. */
export function slugOfName(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
  if (slug.length < 2) return 'team';
  return isReservedSlug(slug) ? `${slug}-team` : slug;
}

/** Returns the slug with a number appended, within the maximum length. */
export function numberedSlug(slug: string, number: number): string {
  const suffix = `-${number}`;
  return `${slug.slice(0, MAX_LENGTH - suffix.length).replace(/-+$/, '')}${suffix}`;
}

const RESERVED_SLUGS = ['new', 'settings', 'api', 'all', 'me', 'system'] as const;

export const slugSchema = z
  .string()
  .min(2, 'A short name has at least 2 characters.')
  .max(40, 'A short name has at most 40 characters.')
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])$/, 'Use lowercase letters, digits and hyphens.')
  .refine(
    (slug) => !(RESERVED_SLUGS as readonly string[]).includes(slug),
    'This name is reserved.',
  );
