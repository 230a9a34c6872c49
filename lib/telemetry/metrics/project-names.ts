import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { OfProject } from '@/lib/platform/metrics/project-label';
import { getProjectRow } from '@/lib/projects/project-rows';

/** A project that gets another slug is counted under it after this time. */
const KEPT_MS = 300_000;
const MOST_KEPT = 10_000;

interface Kept {
  slug: Promise<string>;
  until: number;
}

/** Returns what gives a project's slug, which it reads once in a while. */
export function projectNames(): (project: OfProject) => Promise<string> {
  const kept = new Map<string, Kept>();
  return ({ organizationId, projectId }) => {
    const known = kept.get(projectId);
    if (known && known.until > Date.now()) return known.slug;
    const slug = inTransaction(scopeOfSystem(organizationId, 'Metrics'), async (db) => {
      return (await getProjectRow(db, projectId)).slug;
    });
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(projectId, { slug, until: Date.now() + KEPT_MS });
    slug.catch(() => kept.delete(projectId));
    return slug;
  };
}
