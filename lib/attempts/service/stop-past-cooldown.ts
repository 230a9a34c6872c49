import { listActionsInForce } from '@/lib/cooldowns/data';
import { passedByOwnAction } from '@/lib/cooldowns/passed';
import { namedServices } from '@/lib/cooldowns/service-names';
import type { TenantDb } from '@/lib/db/tenant-db';
import { cooldownSentence } from '@/lib/escalation/gates';
import { listAnsweredCalls, recordNotices } from '@/lib/events/data';
import { notifyRunner } from '@/lib/live/data';
import { getConfig, getProjectRow } from '@/lib/projects/data';
import type { TenantScope } from '@/lib/tenancy/scope';
import type { AttemptRow } from '../data';

/**
 * Stops a run that went past a cooldown, by the rules that hold now. A command counts once its
 * result is in: one that the agent was refused has done nothing.
 *
 * @returns the attempt as it is then
 */
export async function stopPastCooldown(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  session: { id: string; tier: number; projectId: string; chainId: string | null },
  now: Date,
): Promise<AttemptRow> {
  if (attempt.stopRequestedAt || !attempt.runnerId) return attempt;
  const project = await getProjectRow(db, session.projectId);
  const { cooldowns, services } = await getConfig(db, project.id, project.currentVersion);
  const actions = await listActionsInForce(db, project.id, cooldowns, now);
  const passed = (counted: typeof actions) =>
    passedByOwnAction(session.id, cooldowns, counted, namedServices(services), now);
  if (!passed(actions)) return attempt;
  const isOwn = (action: (typeof actions)[number]) => action.sessionId === session.id;
  const calls = actions.filter(isOwn).map((action) => action.evidence);
  const answered = await listAnsweredCalls(db, scope.organizationId, session.id, calls);
  const rule = passed(
    actions.filter((action) => !isOwn(action) || answered.includes(action.evidence)),
  );
  if (!rule) return attempt;
  const stop = { status: 'stopping', stopRequestedAt: now, stopCause: 'cooldown' };
  await db.attempt.updateMany({ where: { id: attempt.id }, data: stop });
  await db.session.updateMany({ where: { id: session.id }, data: { status: 'stopping' } });
  const message = `Tier ${session.tier} is being stopped. ${cooldownSentence(rule)}`;
  const about = { projectId: project.id, chainId: session.chainId, sessionId: session.id };
  await recordNotices(
    db,
    scope.organizationId,
    [{ ...about, level: 'critical', code: 'COOLDOWN', message, service: rule.service }],
    now,
  );
  await notifyRunner(db, attempt.runnerId);
  return { ...attempt, ...stop };
}
