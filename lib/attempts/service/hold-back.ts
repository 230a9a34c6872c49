import type { TenantDb } from '@/lib/db/tenant-db';
import { recordNotices } from '@/lib/events/data';
import type { TenantScope } from '@/lib/tenancy/scope';
import type { ClaimFacts } from '../claim/facts';
import type { AttemptRow } from '../data';

/** Once, when a pause is what holds a start back; the sweep rings again until it is resumed. */
export async function sayWhoPaused(
  db: TenantDb,
  scope: TenantScope,
  { project, organization, chain, session }: ClaimFacts,
  now: Date,
): Promise<void> {
  const paused = organization.pausedAt ? organization : project.pausedAt ? project : null;
  if (!paused) return;
  const message = `${paused.name} is paused by ${paused.pausedBy ?? 'someone'}. Tier ${session.tier} starts once it is resumed.`;
  if (session.statusText === message) return;
  const waiting = { status: 'waiting', statusText: message };
  await db.session.updateMany({ where: { id: session.id }, data: waiting });
  await db.chain.updateMany({ where: { id: chain.id }, data: waiting });
  const about = { projectId: project.id, chainId: chain.id, sessionId: session.id };
  const notice = { ...about, level: 'info' as const, code: 'PAUSED', message };
  await recordNotices(db, scope.organizationId, [notice], now);
}

/** The decision waits for a host or a writer: asked again soon, and by the deadline at the latest. */
export async function postpone(
  db: TenantDb,
  attempt: AttemptRow,
  facts: ClaimFacts,
  text: string,
  waitMs: number,
  now: Date,
): Promise<void> {
  await db.attempt.updateMany({
    where: { id: attempt.id },
    data: {
      notBefore: new Date(now.getTime() + waitMs),
      requiredRunnerId: facts.pointer?.runnerId ?? null,
    },
  });
  await db.session.updateMany({
    where: { id: facts.session.id },
    data: { status: 'waiting', statusText: text },
  });
  await db.chain.updateMany({
    where: { id: facts.chain.id },
    data: { status: 'waiting', statusText: text },
  });
}
