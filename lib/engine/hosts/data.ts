/** The runners of an attempt's pool, with what the attempt's start needs of them. */

import { Prisma } from '@/generated/prisma/client';
import { deniedVersionsOf, runnerDenial } from '@/lib/fleet/denied-versions';
import { canAskOf } from '@/lib/fleet/posture';
import { runnerStatus } from '@/lib/fleet/status';
import { queryRaw } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { getConfig, getProjectRow } from '@/lib/projects/project-rows';
import { tierSchema } from '@/lib/protocol/spec';
import type { PoolHost } from './pool-hosts';
import { missingIsolation, strictest } from './unconfined';
import { unprovenFact } from './unproven';

/** Joins what names the agent of an attempt `a`: `v` is its configuration, `t` its turn. */
export const WITH_AGENT = Prisma.sql`
      join session s on s.organization_id = a.organization_id and s.id = a.session_id
      join project pr on pr.organization_id = s.organization_id and pr.id = s.project_id
      join organization o on o.id = a.organization_id
      left join turn t on t.organization_id = s.organization_id and t.session_id = s.id
      join project_version v on v.organization_id = s.organization_id and v.project_id = s.project_id
        and v.version = case when t.id is null then s.project_version else pr.current_version end`;

/** Columns of such a statement: the agent that would start, and the organization's denylist. */
export const AGENT = Prisma.sql`coalesce(
        (select one ->> 'harness' from jsonb_array_elements(coalesce(v.config -> 'askAgents', '[]')) one
          where one ->> 'name' = t.agent),
        v.harness) as harness, o.denied_cli_versions as "deniedCliVersions"`;

/** The agent of an attempt, as those columns name it. */
export interface StartingAgent {
  harness: string;
  deniedCliVersions: string[];
}

/**
 * Returns the runners of a queued attempt's pool that aren't revoked, latest contact first; none for
 * any other attempt.
 */
export async function listPoolHosts(
  db: TenantDb,
  attemptId: string,
  now: Date,
): Promise<PoolHost[]> {
  const attempt = await db.attempt.findFirst({
    where: { id: attemptId, status: 'queued' },
    select: {
      ...{ poolId: true, projectId: true, purpose: true },
      session: { select: { tier: true, kind: true, projectVersion: true } },
    },
  });
  const [agent] = await queryRaw<StartingAgent>(
    db,
    Prisma.sql`select ${AGENT} from attempt a${WITH_AGENT} where a.id = ${attemptId}::uuid`,
  );
  if (!attempt || !agent) return [];
  const { session, projectId } = attempt;
  const { currentVersion } = await getProjectRow(db, projectId);
  const isTurn = session.kind === 'ask';
  const denied = deniedVersionsOf(agent);
  const live = await getConfig(db, projectId, currentVersion);
  const frozen = isTurn ? live : await getConfig(db, projectId, session.projectVersion);
  // What only observes has the rights of tier 1, and starts without a canary.
  const tier = isTurn || attempt.purpose === 'reconcile' ? 1 : tierSchema.parse(session.tier);
  const runners = await db.runner.findMany({
    where: { poolId: attempt.poolId, revokedAt: null },
    orderBy: [{ lastSeenAt: { sort: 'desc', nulls: 'last' } }, { id: 'asc' }],
    select: {
      ...{ id: true, name: true, posture: true, allowedTiers: true },
      ...{ lastSeenAt: true, drainingAt: true, pausedAt: true, revokedAt: true },
    },
  });
  return runners.map((runner) => ({
    id: runner.id,
    name: runner.name,
    status: runnerStatus(runner, now),
    allowsTier: runner.allowedTiers.includes(session.tier),
    isTooOld: isTurn && !canAskOf(runner.posture),
    isCliDenied: runnerDenial(runner.posture, agent.harness, denied) !== null,
    canConfine: missingIsolation([frozen, live], runner) === null,
    unproven: unprovenFact(tier, strictest([frozen, live]), agent.harness, runner),
  }));
}
