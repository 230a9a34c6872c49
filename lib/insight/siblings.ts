import { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
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
    const place = { projectId, number };
    return kind === 'chains' ? chainNeighbors(db, place) : sessionNeighbors(db, place);
  });
}

interface Place {
  projectId: string;
  number: number;
}

/** Numbers of the chains right before and after one; null at that end. */
async function chainNeighbors(db: TenantDb, { projectId, number }: Place) {
  const before = await db.chain.findFirst({
    where: { projectId, number: { lt: number } },
    orderBy: { number: 'desc' },
    select: { number: true },
  });
  const after = await db.chain.findFirst({
    where: { projectId, number: { gt: number } },
    orderBy: { number: 'asc' },
    select: { number: true },
  });
  return { previous: before?.number ?? null, next: after?.number ?? null };
}

/** The same of the tiers' sessions; numbers that turns of conversations took are left out. */
async function sessionNeighbors(db: TenantDb, { projectId, number }: Place) {
  const before = await db.session.findFirst({
    where: { projectId, kind: 'tier', number: { lt: number } },
    orderBy: { number: 'desc' },
    select: { number: true },
  });
  const after = await db.session.findFirst({
    where: { projectId, kind: 'tier', number: { gt: number } },
    orderBy: { number: 'asc' },
    select: { number: true },
  });
  return { previous: before?.number ?? null, next: after?.number ?? null };
}
