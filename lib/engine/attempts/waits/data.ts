/** Chains and turns of every organization that wait for a runner, and the runners they wait for. */
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/lib/platform/db/global-db';

/** What their texts begin with; other waits say something else, which is left alone. */
const WAITING = 'Waiting for a runner%';

export interface WaitingWork {
  /** UUID of the chain; of the session where it is a turn of a conversation. */
  id: string;
  isChain: boolean;
  isTurn: boolean;
  text: string;
  tier: number;
  poolId: string;
  pool: string;
}

export function listWaitingWork(attemptIds: readonly string[]): Promise<WaitingWork[]> {
  return systemDb('why chains and turns wait').$queryRaw(
    Prisma.sql`select coalesce(c.id, s.id) as id, c.id is not null as "isChain", a.purpose = 'ask' as "isTurn",
        coalesce(c.status_text, s.status_text) as text, s.tier, p.id as "poolId", p.name as pool
      from attempt a
      join session s on s.organization_id = a.organization_id and s.id = a.session_id
      left join chain c on c.organization_id = s.organization_id and c.id = s.chain_id
      join runner_pool p on p.organization_id = a.organization_id and p.id = a.pool_id
      where a.id = any(${[...attemptIds]}::uuid[]) and a.status = 'queued'
        and coalesce(c.status_text, s.status_text) like ${WAITING}`,
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

/** Only where it still waits for a runner. */
export async function updateWaitTexts(
  texts: readonly { id: string; isChain: boolean; text: string }[],
): Promise<void> {
  for (const isChain of [true, false]) {
    const own = texts.filter((text) => text.isChain === isChain);
    if (own.length === 0) continue;
    const table = Prisma.raw(isChain ? 'chain' : 'session');
    await systemDb('why chains and turns wait').$executeRaw(
      Prisma.sql`update ${table} w set status_text = said.text
        from unnest(${own.map(({ id }) => id)}::uuid[], ${own.map(({ text }) => text)}::text[]) as said (id, text)
        where w.id = said.id and w.status in ('queued', 'waiting') and w.status_text like ${WAITING}`,
    );
  }
}
