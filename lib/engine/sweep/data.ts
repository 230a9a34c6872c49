/** Rows of every organization that need attention. */

import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/lib/platform/db/global-db';
import { AGENT, type StartingAgent, WITH_AGENT } from '../hosts/data';
import { HOST_WAITS, type WaitReason } from '../statuses';
import { HOST_SILENT_SECONDS } from './wait-sentence';

const LEASES = 200;
const PER_SWEEP = 500;
/** Settlements of one organization that a sweep enqueues. */
export const UNSETTLED_OF_ONE = 50;

/**
 * Returns since when the runner API has answered without a gap, and its last record; null if it
 * never has.
 */
interface SweptAttempt {
  id: string;
  organizationId: string;
}

/**
 * Ranks attempts within their organization. A sweep that reads in this order takes one of every
 * organization, then the second of each, so that none waits behind another's thousands.
 */
function turnBy(order: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`row_number() over (partition by organization_id order by ${order}) as turn`;
}

/** Returns attempts whose lease has expired, organizations in turns. */
export function listExpiredLeases(now: Date): Promise<SweptAttempt[]> {
  return systemDb('leases of every organization').$queryRaw(
    Prisma.sql`select id, organization_id as "organizationId" from (
        select id, organization_id, lease_expires_at, ${turnBy(Prisma.sql`lease_expires_at, id`)} from attempt
        where status in ('claimed', 'running', 'stopping') and lease_expires_at < ${now}::timestamptz and result is null
          and (settle_retry_at is null or settle_retry_at <= ${now}::timestamptz)
      ) expired
      order by turn, lease_expires_at limit ${LEASES}`,
  );
}

export interface WaitingAttempt extends SweptAttempt {
  poolId: string;
  requiredRunnerId: string | null;
  waitReason: WaitReason | null;
}

/**
 * Returns attempts that nobody has claimed and that were not enqueued since `quiet`, organizations in
 * turns, and marks them as enqueued now.
 */
export function takeUnclaimed(quiet: Date, now: Date): Promise<WaitingAttempt[]> {
  const isDue = Prisma.sql`status = 'queued'
    and queued_at < ${quiet}::timestamptz and (enqueued_at is null or enqueued_at < ${quiet}::timestamptz)
    and (not_before is null or not_before <= ${now}::timestamptz)`;
  return systemDb('lost jobs of every organization').$queryRaw(
    Prisma.sql`with due as (
        select due.id as due_id from (
          select id as ranked_id, ${turnBy(Prisma.sql`enqueued_at nulls first, queued_at, id`)} from attempt where ${isDue}
        ) ranked
        join attempt due on due.id = ranked_id
        where ${isDue}
        order by turn, enqueued_at nulls first, queued_at limit ${PER_SWEEP} for update of due skip locked
      )
      update attempt set enqueued_at = ${now}::timestamptz from due where id = due_id
      returning id, organization_id as "organizationId", pool_id as "poolId", required_runner_id as "requiredRunnerId",
        (select s.wait_reason from session s where s.organization_id = attempt.organization_id
          and s.id = attempt.session_id) as "waitReason"`,
  );
}

/**
 * Returns results that nobody has settled since `quiet`, organizations in turns, without those whose
 * next try isn't due. Only a few of each: their jobs share a queue with those of every organization.
 */
export function listUnsettled(quiet: Date, now: Date): Promise<SweptAttempt[]> {
  return systemDb('results of every organization').$queryRaw(
    Prisma.sql`select id, organization_id as "organizationId" from (
        select id, organization_id, result_at, ${turnBy(Prisma.sql`result_at, id`)} from attempt
        where result is not null and settled_at is null and result_at < ${quiet}::timestamptz
          and (settle_retry_at is null or settle_retry_at <= ${now}::timestamptz)
      ) unsettled
      where turn <= ${UNSETTLED_OF_ONE} order by turn, result_at limit ${PER_SWEEP}`,
  );
}

/**
 * Releases starts that have waited long enough for the host of their conversation to the whole
 * pool.
 */
export async function releaseFromHosts(now: Date): Promise<void> {
  const silent = new Date(now.getTime() - HOST_SILENT_SECONDS * 1_000);
  await systemDb('starts that wait for a host').$executeRaw(
    Prisma.sql`update attempt a set required_runner_id = null, enqueued_at = null
      from runner r
      where a.status = 'queued' and a.required_runner_id = r.id and a.organization_id = r.organization_id
        and (a.wait_until < ${now}::timestamptz or r.revoked_at is not null)
        and (r.last_seen_at is null or r.last_seen_at < ${silent}::timestamptz or r.revoked_at is not null or r.draining_at is not null)`,
  );
}

/** Returns attempts that have waited too long for a runner that can confine them, or passes its canary. */
export function listOverdueHostWaits(now: Date): Promise<SweptAttempt[]> {
  return systemDb('hosts that tiers wait for').$queryRaw(
    Prisma.sql`select a.id, a.organization_id as "organizationId" from attempt a
      join session s on s.organization_id = a.organization_id and s.id = a.session_id
      where a.status = 'queued' and a.proof_due_at <= ${now}::timestamptz and s.wait_reason = any(${[...HOST_WAITS]}::text[])
      order by a.proof_due_at limit ${PER_SWEEP}`,
  );
}

/** Waits that the sweep explains; others have a text of their own, which stays. */
const EXPLAINED: readonly WaitReason[] = ['runner', 'version', 'isolation'];

export interface WaitingWork extends StartingAgent {
  /** UUID of the chain; of the session where it is a turn of a conversation. */
  id: string;
  isChain: boolean;
  isTurn: boolean;
  text: string;
  waitReason: WaitReason;
  /** When its chain needs a human, if no runner has started it by then. */
  dueAt: Date | null;
  tier: number;
  poolId: string;
  pool: string;
}

export function listWaitingWork(attemptIds: readonly string[]): Promise<WaitingWork[]> {
  return systemDb('why chains and turns wait').$queryRaw(
    Prisma.sql`select coalesce(c.id, s.id) as id, c.id is not null as "isChain", s.kind = 'ask' as "isTurn",
        coalesce(c.status_text, s.status_text) as text, coalesce(c.wait_reason, s.wait_reason) as "waitReason",
        a.proof_due_at as "dueAt", s.tier, p.id as "poolId", p.name as pool, ${AGENT}
      from attempt a${WITH_AGENT}
      left join chain c on c.organization_id = s.organization_id and c.id = s.chain_id
      join runner_pool p on p.organization_id = a.organization_id and p.id = a.pool_id
      where a.id = any(${[...attemptIds]}::uuid[]) and a.status = 'queued'
        and case when c.id is null then s.wait_reason else c.wait_reason end = any(${[...EXPLAINED]}::text[])`,
  );
}

export interface PoolRunner {
  poolId: string;
  name: string;
  allowedTiers: number[];
  slots: number;
  slotsInUse: number;
  posture: unknown;
  lastSeenAt: Date | null;
  drainingAt: Date | null;
  pausedAt: Date | null;
  revokedAt: Date | null;
}

export function listRunnersOfPools(poolIds: readonly string[]): Promise<PoolRunner[]> {
  return systemDb('runners that chains wait for').$queryRaw(
    Prisma.sql`select r.pool_id as "poolId", r.name, r.allowed_tiers as "allowedTiers", r.slots, r.posture,
        r.last_seen_at as "lastSeenAt", r.draining_at as "drainingAt", r.paused_at as "pausedAt",
        r.revoked_at as "revokedAt",
        (select count(*)::int from attempt a where a.organization_id = r.organization_id
          and a.runner_id = r.id and a.status in ('claimed', 'running', 'stopping')) as "slotsInUse"
      from runner r where r.pool_id = any(${[...poolIds]}::uuid[]) and r.revoked_at is null`,
  );
}

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
    await systemDb('why chains and turns wait').$executeRaw(
      Prisma.sql`update ${Prisma.raw(table)} w set status_text = said.text, wait_reason = said.reason
        from unnest(${own.map(({ id }) => id)}::uuid[], ${own.map(({ text }) => text)}::text[],
          ${own.map(({ waitReason }) => waitReason)}::text[]) as said (id, text, reason)
        where w.${Prisma.raw(key)} = said.id and w.status in ('queued', 'waiting') and w.wait_reason = any(${[...EXPLAINED]}::text[])`,
    );
  }
}
