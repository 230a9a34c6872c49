import { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireProject } from '@/lib/projects/manage-project';
import { chainNeighbors, sessionNeighbors } from './siblings-data';

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
    const place = { projectId, number };
    return kind === 'chains' ? chainNeighbors(db, place) : sessionNeighbors(db, place);
  });
}
