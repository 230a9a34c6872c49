import type { TenantDb } from '@/lib/platform/db/tenant-db';

/** The newest session of a tier in a cycle, and what it was started about. */
export async function findLastStart(db: TenantDb, projectId: string, tier: number) {
  const session = await db.session.findFirst({
    where: { projectId, tier, kind: 'tier' },
    orderBy: { id: 'desc' },
    select: { parentSessionId: true, chain: { select: { number: true, prompt: true } } },
  });
  if (!session?.chain) return null;
  const handoff = session.parentSessionId
    ? await db.handoff.findFirst({
        where: { sessionId: session.parentSessionId },
        select: { payload: true },
      })
    : null;
  return { chain: session.chain, handoff: handoff?.payload ?? null };
}
