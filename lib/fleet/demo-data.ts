import { systemDb } from '@/lib/platform/db/global-db';

interface DemoOrganization {
  id: string;
  slug: string;
}

/** Returns the seeded demo organization; null if there is none. */
export async function findDemo(): Promise<DemoOrganization | null> {
  return systemDb('the demo organization of this installation').organization.findFirst({
    where: { isDemo: true },
    select: { id: true, slug: true },
  });
}
