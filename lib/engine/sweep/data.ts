/** Rows of every organization that need attention. */

import { sql } from 'kysely';
import { inTurns, listDue, lockDue } from '@/lib/platform/db/due';
import { anyOf, changedBySystem, instant, query, refers, systemRows } from '@/lib/platform/db/sql';
import { agentsOfAttempts } from '../hosts/data';
import { HOST_WAITS, type WaitReason } from '../statuses';
import { HOST_SILENT_SECONDS } from './wait-sentence';

const LEASES = 200;
const PER_SWEEP = 500;
/** Settlements of one organization that a sweep enqueues. */
export const UNSETTLED_OF_ONE = 50;

/** Returns attempts whose lease has expired, organizations in turns. */
export function listExpiredLeases(now: Date) {
  return listDue(
    'leases of every organization',
    query
      .selectFrom('attempt')
      .select(['id', 'organizationId', 'leaseExpiresAt as dueAt'])
      .where('status', 'in', ['claimed', 'running', 'stopping'])
      .where('leaseExpiresAt', '<', now)
      .where('result', 'is', null)
      .where(isRetryDue(now)),
    { limit: LEASES },
  );
}

function isRetryDue(now: Date) {
  return sql<boolean>`(settle_retry_at is null or settle_retry_at <= ${instant(now)})`;
}

/**
 * Returns attempts that nobody has claimed and that were not enqueued since `quiet`, organizations in
 * turns, and marks them as enqueued now.
 */
export function takeUnclaimed(quiet: Date, now: Date) {
  return systemRows(
    'lost jobs of every organization',
    query
      .with('due', () =>
        lockDue({
          table: 'attempt',
          key: 'id',
          dueAt: ({ fn }) => fn.coalesce('enqueuedAt', 'queuedAt'),
          isDue: () =>
            sql<boolean>`status = 'queued' and queued_at < ${quiet}
              and (enqueued_at is null or enqueued_at < ${quiet}) and (not_before is null or not_before <= ${now})`,
          limit: PER_SWEEP,
        }),
      )
      .updateTable('attempt as a')
      .from('due')
      .set({ enqueuedAt: now })
      .whereRef('a.organizationId', '=', 'due.organizationId')
      .whereRef('a.id', '=', 'due.id')
      .returning((eb) => [
        ...(['a.id', 'a.organizationId', 'a.poolId', 'a.requiredRunnerId'] as const),
        eb
          .selectFrom('session as s')
          .select('s.waitReason')
          .whereRef('s.organizationId', '=', 'a.organizationId')
          .whereRef('s.id', '=', 'a.sessionId')
          .as('waitReason'),
      ]),
  );
}
export type WaitingAttempt = Awaited<ReturnType<typeof takeUnclaimed>>[number];

/**
 * Returns results that nobody has settled since `quiet`, organizations in turns, without those whose
 * next try isn't due. Only a few of each: their jobs share a queue with those of every organization.
 */
export function listUnsettled(quiet: Date, now: Date) {
  return listDue(
    'results of every organization',
    query
      .selectFrom('attempt')
      .select(['id', 'organizationId', 'resultAt as dueAt'])
      .where('result', 'is not', null)
      .where('settledAt', 'is', null)
      .where('resultAt', '<', quiet)
      .where(isRetryDue(now)),
    { limit: PER_SWEEP, perOrganization: UNSETTLED_OF_ONE },
  );
}

/**
 * Releases starts that have waited long enough for the host of their conversation to the whole
 * pool.
 */
export async function releaseFromHosts(now: Date): Promise<void> {
  const silent = new Date(now.getTime() - HOST_SILENT_SECONDS * 1_000);
  await changedBySystem(
    'starts that wait for a host',
    sql`update attempt a set required_runner_id = null, enqueued_at = null
      from runner r
      where a.status = 'queued' and a.required_runner_id = r.id and a.organization_id = r.organization_id
        and (a.wait_until < ${now} or r.revoked_at is not null)
        and (r.last_seen_at is null or r.last_seen_at < ${silent} or r.revoked_at is not null or r.draining_at is not null)`,
  );
}

/** Returns attempts that have waited too long for a runner that can confine them, or passes its canary. */
export const listOverdueHostWaits = inTurns(PER_SWEEP, (without, now: Date) =>
  listDue(
    'hosts that tiers wait for',
    query
      .selectFrom('attempt as a')
      .innerJoin('session as s', refers('a.sessionId', 's.id'))
      .select(['a.id', 'a.organizationId', 'a.proofDueAt as dueAt'])
      .where('a.status', '=', 'queued')
      .where('a.proofDueAt', '<=', now)
      .where('s.waitReason', 'in', HOST_WAITS),
    { limit: PER_SWEEP, without },
  ),
);

/** Waits that the sweep explains; others have a text of their own, which stays. */
const EXPLAINED: readonly string[] = ['runner', 'version', 'isolation'] satisfies WaitReason[];

/**
 * Returns why the chains and turns of attempts wait, and for what. `id` is the UUID of the chain, or of the
 * session of a turn; its chain needs a human if no runner has started it by `dueAt`.
 */
export function listWaitingWork(attemptIds: readonly string[]) {
  return systemRows(
    'why chains and turns wait',
    agentsOfAttempts()
      .leftJoin('chain as c', refers('s.chainId', 'c.id'))
      .innerJoin('runnerPool as p', refers('a.poolId', 'p.id'))
      .select(['a.proofDueAt as dueAt', 's.tier', 'p.id as poolId', 'p.name as pool'])
      .select(({ fn }) => [
        fn.coalesce('c.id', 's.id').as('id'),
        sql<boolean>`c.id is not null`.as('isChain'),
        sql<boolean>`s.kind = 'ask'`.as('isTurn'),
        fn.coalesce('c.statusText', 's.statusText').as('text'),
        fn.coalesce('c.waitReason', 's.waitReason').as('waitReason'),
      ])
      .where('a.id', '=', anyOf(attemptIds))
      .where('a.status', '=', 'queued')
      .where(
        ({ eb }) =>
          eb
            .case()
            .when('c.id', 'is', null)
            .then(eb.ref('s.waitReason'))
            .else(eb.ref('c.waitReason'))
            .end(),
        'in',
        EXPLAINED,
      ),
  );
}
export type WaitingWork = Awaited<ReturnType<typeof listWaitingWork>>[number];

export function listRunnersOfPools(poolIds: readonly string[]) {
  return systemRows(
    'runners that chains wait for',
    query
      .selectFrom('runner as r')
      .select(['r.poolId', 'r.name', 'r.allowedTiers', 'r.slots', 'r.capabilities'])
      .select(['r.lastSeenAt', 'r.drainingAt', 'r.pausedAt', 'r.revokedAt'])
      .select(({ selectFrom }) =>
        selectFrom('attempt as a')
          .select(sql<number>`count(*)::int`.as('slots'))
          .whereRef('a.organizationId', '=', 'r.organizationId')
          .whereRef('a.runnerId', '=', 'r.id')
          .where('a.status', 'in', ['claimed', 'running', 'stopping'])
          .$asScalar()
          .$notNull()
          .as('slotsInUse'),
      )
      .where('r.poolId', '=', anyOf(poolIds))
      .where('r.revokedAt', 'is', null),
  );
}
export type PoolRunner = Awaited<ReturnType<typeof listRunnersOfPools>>[number];

/**
 * Updates texts and reasons, only of rows whose waits the sweep explains. A chain's waiting session gets
 * those of its chain.
 */
export async function updateWaitTexts(
  texts: readonly { id: string; isChain: boolean; text: string; waitReason: WaitReason }[],
): Promise<void> {
  const ofChains = texts.filter(({ isChain }) => isChain);
  const ofTurns = texts.filter(({ isChain }) => !isChain);
  const updates = [
    { table: 'chain', key: 'id', own: ofChains },
    { table: 'session', key: 'chain_id', own: ofChains },
    { table: 'session', key: 'id', own: ofTurns },
  ];
  for (const { table, key, own } of updates) {
    if (own.length === 0) continue;
    await changedBySystem(
      'why chains and turns wait',
      sql`update ${sql.table(table)} w set status_text = said.text, wait_reason = said.reason
        from unnest(${own.map(({ id }) => id)}::uuid[], ${own.map(({ text }) => text)}::text[],
          ${own.map(({ waitReason }) => waitReason)}::text[]) as said (id, text, reason)
        where w.${sql.ref(key)} = said.id and w.status in ('queued', 'waiting') and w.wait_reason = ${anyOf(EXPLAINED)}`,
    );
  }
}
