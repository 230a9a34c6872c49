import type { TenantDb } from '@/lib/db/tenant-db';
import type { OrganizationId } from '@/lib/tenancy/scope';

export interface RecordedAction {
  service: string;
  action: 'restart' | 'redeploy';
  at: Date;
}

/** With where it was seen. */
export interface SeenAction extends RecordedAction {
  sessionId: string;
  source: 'command' | 'report';
  evidence: string;
}

/** What was done in the project since a time, newest last. */
export async function listActionsSince(
  db: TenantDb,
  projectId: string,
  since: Date,
): Promise<SeenAction[]> {
  const rows = await db.cooldownAction.findMany({
    where: { projectId, at: { gte: since } },
    orderBy: { at: 'asc' },
    select: {
      service: true,
      action: true,
      at: true,
      sessionId: true,
      source: true,
      evidence: true,
    },
  });
  return rows.map((row) => ({
    ...row,
    action: row.action === 'redeploy' ? 'redeploy' : 'restart',
    source: row.source === 'report' ? 'report' : 'command',
  }));
}

export interface NewAction extends SeenAction {
  projectId: string;
  command: string;
}

/** Counted once by its evidence, however often it is reported. */
export async function recordActions(
  db: TenantDb,
  organizationId: OrganizationId,
  actions: readonly NewAction[],
): Promise<void> {
  if (actions.length === 0) return;
  await db.cooldownAction.createMany({
    data: actions.map((action) => ({ organizationId, ...action })),
    skipDuplicates: true,
  });
}

/** A command that was refused did not happen. */
export async function forgetActions(
  db: TenantDb,
  sessionId: string,
  evidence: readonly string[],
): Promise<void> {
  if (evidence.length === 0) return;
  await db.cooldownAction.deleteMany({ where: { sessionId, evidence: { in: [...evidence] } } });
}
