import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { notifyRunner } from '@/lib/platform/live/hint';
import { getConfig } from '@/lib/projects/project-rows';
import { namedServices } from '@/lib/projects/service-names';
import type { Standing } from '../attempt/context-data';
import type { AttemptRow } from '../attempt/data';
import { listActionsInForce } from '../cooldowns/recorded-actions';
import { cooldownSentence, passedByOwnAction } from '../cooldowns/state';
import { listAnsweredCalls } from '../events/data';
import { recordNotices } from '../events/notices';

/**
 * Stops an attempt that exceeded a cooldown, by the current rules. A command counts once its result
 * is stored, because a refused one has done nothing.
 *
 * @returns the attempt after that
 */
export async function stopPastCooldown(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  { tier, chainId, liveVersion }: Standing,
  now: Date,
): Promise<AttemptRow> {
  if (attempt.stopRequestedAt || !attempt.runnerId) return attempt;
  const { projectId, sessionId } = attempt;
  const { cooldowns, services } = await getConfig(db, projectId, liveVersion);
  const actions = await listActionsInForce(db, projectId, cooldowns, now);
  const passed = (counted: typeof actions) =>
    passedByOwnAction(sessionId, cooldowns, counted, namedServices(services), now);
  if (!passed(actions)) return attempt;
  const isOwn = (action: (typeof actions)[number]) => action.sessionId === sessionId;
  const calls = actions.filter(isOwn).map((action) => action.evidence);
  const answered = await listAnsweredCalls(db, scope.organizationId, sessionId, calls);
  const rule = passed(
    actions.filter((action) => !isOwn(action) || answered.includes(action.evidence)),
  );
  if (!rule) return attempt;
  const stop = { status: 'stopping', stopRequestedAt: now, stopCause: 'cooldown' };
  await db.attempt.updateMany({ where: { id: attempt.id }, data: stop });
  await db.session.updateMany({ where: { id: sessionId }, data: { status: 'stopping' } });
  const message = `Tier ${tier} is being stopped. ${cooldownSentence(rule)}`;
  const about = { projectId, chainId, sessionId };
  await recordNotices(
    db,
    scope.organizationId,
    [{ ...about, level: 'critical', code: 'COOLDOWN', message, service: rule.service }],
    now,
  );
  await notifyRunner(db, attempt.runnerId);
  return { ...attempt, ...stop };
}
