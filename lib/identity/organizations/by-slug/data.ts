import { systemDb } from '@/lib/platform/db/global-db';

/** For the command line on the machine itself, which has no token yet; null for an unknown slug. */
export function findOrganizationBySlug(slug: string) {
  return systemDb('the first token of an organization').organization.findUnique({
    where: { slug },
    select: { id: true, slug: true },
  });
}
