import { systemDb } from '@/lib/platform/db/global-db';

interface DemoOrganization {
  id: string;
  slug: string;
}

/** The seeded demo organization; null where none was made. */
export async function findDemo(): Promise<DemoOrganization | null> {
  return systemDb('the demo organization of this installation').organization.findFirst({
    where: { isDemo: true },
    select: { id: true, slug: true },
  });
}
