import { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireProject } from '@/lib/projects/manage-project';

export const siblingsQuerySchema = z.object({
  kind: z.enum(['chains', 'sessions']),
  number: z.coerce.number().int().positive().max(2_147_483_647),
});
type SiblingsQuery = z.output<typeof siblingsQuerySchema>;

export const siblingsSchema = z.object({
  previous: z.number().int().nullable(),
  next: z.number().int().nullable(),
});

/** Returns the numbers before and after a chain or session of a project. Throws NotFoundError. */
export function getSiblings(
  scope: TenantScope,
  project: string,
  { kind, number }: SiblingsQuery,
): Promise<z.infer<typeof siblingsSchema>> {
  return inTransaction(scope, async (db) => {
    const { id: projectId } = await requireProject(db, project);
    const nearest = (where: { lt: number } | { gt: number }, order: 'asc' | 'desc') => {
      const first = { orderBy: { number: order }, select: { number: true } } as const;
      // Numbers that turns of conversations took are left out.
      return kind === 'chains'
        ? db.chain.findFirst({ where: { projectId, number: where }, ...first })
        : db.session.findFirst({ where: { projectId, kind: 'tier', number: where }, ...first });
    };
    const before = await nearest({ lt: number }, 'desc');
    const after = await nearest({ gt: number }, 'asc');
    return { previous: before?.number ?? null, next: after?.number ?? null };
  });
}
