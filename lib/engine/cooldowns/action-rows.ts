import { v7 as uuidv7 } from 'uuid';
import { beforeCommit } from '@/lib/platform/db/raw';
import { insertRows } from '@/lib/platform/db/rows';
import { query, rowsOf, sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

export interface RecordedAction {
  service: string;
  action: 'restart' | 'redeploy';
  at: Date;
}

/** An action with the place where it was observed. */
interface SeenAction extends RecordedAction {
  sessionId: string;
  evidence: string;
}

/** Names a brokered command as the place where an action was counted. */
export function commandEvidence(attemptId: string, number: number): string {
  return `${attemptId}/${number}`;
}

/** Returns the actions of a project within its longest cooldown window, newest last. */
export async function listCountedActions(
  db: TenantDb,
  projectId: string,
  rules: readonly { windowSeconds: number }[],
  now: Date,
): Promise<SeenAction[]> {
  if (rules.length === 0) return [];
  const longest = Math.max(...rules.map((rule) => rule.windowSeconds));
  const since = new Date(now.getTime() - longest * 1_000);
  const rows = await rowsOf(
    db,
    query
      .selectFrom('cooldownAction')
      .select(['service', 'action', 'at', 'sessionId', 'evidence'])
      .where((row) => row.and({ organizationId: db.organizationId, projectId }))
      .where('at', '>=', since)
      .orderBy('at'),
  );
  return rows.map((row) => ({
    ...row,
    action: row.action === 'redeploy' ? 'redeploy' : 'restart',
  }));
}

/** Lets one transaction after the other decide about the actions of a project. */
export async function lockActions(db: TenantDb, projectId: string): Promise<void> {
  await sqlRows(
    db,
  )`select pg_advisory_xact_lock(hashtextextended(${`actions of ${projectId}`}, 0))::text`;
}

interface NewAction extends SeenAction {
  projectId: string;
  command: string;
}

/** Records actions. Each counts once, by its evidence, however often it is sent. */
export function recordActions(db: TenantDb, actions: readonly NewAction[]): void {
  if (actions.length === 0) return;
  const rows = actions.map((action) => ({
    id: uuidv7(),
    organizationId: db.organizationId,
    projectId: action.projectId,
    sessionId: action.sessionId,
    service: action.service,
    action: action.action,
    evidence: action.evidence,
    command: action.command,
    at: action.at,
  }));
  beforeCommit(db, insertRows(db, 'cooldownAction', rows, { skipsDuplicates: true }));
}

/** Deletes the actions of commands that were refused. */
export async function forgetActions(
  db: TenantDb,
  sessionId: string,
  evidence: readonly string[],
): Promise<void> {
  if (evidence.length === 0) return;
  await db.cooldownAction.deleteMany({ where: { sessionId, evidence: { in: [...evidence] } } });
}
