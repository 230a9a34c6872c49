/** The runners of an attempt's pool, with what the attempt's start needs of them. */

import { sql } from 'kysely';
import { canAskOf } from '@/lib/fleet/capabilities';
import { deniedVersionsOf, runnerDenial } from '@/lib/fleet/denied-versions';
import { runnerStatus } from '@/lib/fleet/status';
import { query, refers, rowsOf } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { getConfig, getProjectRow } from '@/lib/projects/project-rows';
import { tierSchema } from '@/lib/protocol/spec';
import { missingIsolation, type PoolHost, strictest, unprovenFact } from './pool-hosts';

/**
 * Selects the agents that would start attempts `a`, and the denylists of their organizations: of a session `s`,
 * or of its turn `t` of a conversation.
 */
export function agentsOfAttempts() {
  return query
    .selectFrom('attempt as a')
    .innerJoin('session as s', refers('a.sessionId', 's.id'))
    .innerJoin('project as pr', refers('s.projectId', 'pr.id'))
    .innerJoin('organization as o', 'o.id', 'a.organizationId')
    .leftJoin('turn as t', refers('s.id', 't.sessionId'))
    .innerJoin('projectVersion as v', (join) =>
      join
        .onRef('v.organizationId', '=', 's.organizationId')
        .onRef('v.projectId', '=', 's.projectId')
        .on(
          'v.version',
          '=',
          sql`case when t.id is null then s.project_version else pr.current_version end`,
        ),
    )
    .select('o.deniedCliVersions')
    .select(({ fn }) => [
      fn
        .coalesce(
          sql<
            string | null
          >`(select one ->> 'harness' from jsonb_array_elements(coalesce(v.config -> 'askAgents', '[]')) one
            where one ->> 'name' = t.agent)`,
          sql<string>`v.harness`,
        )
        .as('harness'),
    ]);
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
  const [agent] = await rowsOf(db, agentsOfAttempts().where('a.id', '=', attemptId));
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
      ...{ id: true, name: true, capabilities: true, allowedTiers: true },
      ...{ lastSeenAt: true, drainingAt: true, pausedAt: true, revokedAt: true },
    },
  });
  return runners.map((runner) => ({
    id: runner.id,
    name: runner.name,
    status: runnerStatus(runner, now),
    allowsTier: runner.allowedTiers.includes(session.tier),
    isTooOld: isTurn && !canAskOf(runner.capabilities),
    isCliDenied: runnerDenial(runner.capabilities, agent.harness, denied) !== null,
    canConfine: missingIsolation([frozen, live], runner) === null,
    unproven: unprovenFact(tier, strictest([frozen, live]), agent.harness, runner),
  }));
}
