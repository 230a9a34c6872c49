import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { getConfig } from '@/lib/projects/project-rows';
import { namedServices } from '@/lib/projects/service-names';
import type { AuthorizeCommandRequest, AuthorizeCommandResponse } from '@/lib/protocol/commands';
import { findStanding } from '../attempt/context-data';
import { type AttemptRow, isCurrentRun, lockAttempt } from '../attempt/data';
import { listActionsInForce, lockActions, recordActions } from '../cooldowns/action-rows';
import { actionsOfArgv, type CooldownPair } from '../cooldowns/rules';
import { cooldownSentence, cooldownState } from '../cooldowns/state';

type Answer = AuthorizeCommandResponse;

/**
 * Decides whether a brokered command that may change something may run now, and counts it for
 * cooldowns before it does. Commands of one project are decided one after the other, so that two of
 * them can't both take the last use.
 *
 * @returns null if the attempt isn't this runner's
 */
export function authorizeCommand(
  scope: TenantScope,
  attemptId: string,
  request: AuthorizeCommandRequest,
  now = new Date(),
): Promise<Answer | null> {
  return inTransaction(scope, async (db) => {
    const attempt = await lockAttempt(db, scope.organizationId, attemptId);
    if (!attempt || attempt.runnerId !== scope.actor.id) return null;
    return heldBack(attempt, request.fence, now) ?? (await count(db, scope, attempt, request, now));
  });
}

function heldBack(attempt: AttemptRow, fence: number, now: Date): Answer | null {
  const isLeased = attempt.leaseExpiresAt !== null && attempt.leaseExpiresAt > now;
  if (!isCurrentRun(attempt, fence) || !isLeased) {
    return refused('fenced', 'This attempt is no longer this runner’s.');
  }
  if (attempt.stopRequestedAt === null) return null;
  return refused('stopping', 'This attempt is being stopped.');
}

async function count(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  { number, argv }: AuthorizeCommandRequest,
  now: Date,
): Promise<Answer> {
  const { organizationId } = scope;
  const { projectId, sessionId } = attempt;
  await lockActions(db, projectId);
  const standing = await findStanding(db, organizationId, sessionId);
  if (!standing) return refused('fenced', 'This attempt has ended.');
  const { cooldowns, services } = await getConfig(db, projectId, standing.liveVersion);
  const named = namedServices(services);
  const wanted = actionsOfArgv(argv, named);
  const evidence = `${attempt.id}/${number}`;
  const done = await listActionsInForce(db, organizationId, projectId, cooldowns, now);
  if (wanted.length === 0 || done.some((action) => action.evidence === evidence)) return ALLOWED;
  const exhausted = cooldownState(cooldowns, done, named, now).find(
    (rule) => rule.used >= rule.limit && wanted.some((pair) => isSame(pair, rule)),
  );
  if (exhausted) return refused('cooldown', cooldownSentence(exhausted));
  recordActions(
    db,
    organizationId,
    wanted.map((pair) => ({
      ...pair,
      projectId,
      sessionId,
      source: 'command',
      evidence,
      command: argv.join(' ').slice(0, MAX_COMMAND),
      at: now,
    })),
  );
  return ALLOWED;
}

const ALLOWED: Answer = { verdict: 'allowed' };
const MAX_COMMAND = 2_000;

function refused(code: 'fenced' | 'stopping' | 'cooldown', message: string): Answer {
  return { verdict: 'refused', code, message };
}

function isSame(one: CooldownPair, other: CooldownPair): boolean {
  return one.service === other.service && one.action === other.action;
}
