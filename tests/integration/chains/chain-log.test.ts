import { beforeAll, describe, expect, it } from 'vitest';
import { appendSessionEvents } from '@/lib/engine/events/data';
import { getChainLog } from '@/lib/insight/chains/chain-log';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { useTestDatabase } from '@/tests/support/database';
import { reviveSessions } from '@/tests/support/revive-sessions';
import { countQueries } from '../api/support/count-queries';
import { makeTenant, type Tenant } from '../api/support/tenant';
import { type SeededChain, seedThreeTierChain } from '../api/support/three-tier-chain';

const database = useTestDatabase();

let tenant: Tenant;
let chain: SeededChain;
beforeAll(async () => {
  tenant = await makeTenant();
  chain = await seedThreeTierChain(tenant);
});

/** Appends text events to a session of the chain. */
function write(sessionUuid: string, count: number): Promise<void> {
  return inTransaction(tenant.scope, async (db) => {
    await appendSessionEvents(
      db,
      sessionUuid,
      Array.from({ length: count }, (_, index) => ({
        attemptId: null,
        attemptSeq: null,
        kind: 'text',
        at: new Date(),
        payload: { kind: 'text', messageId: `m${index}`, text: `line ${index}` },
      })),
    );
  });
}

describe('[PAG-1.1] the log of a chain', () => {
  it('has every session in order, with what it reported', async () => {
    const log = await getChainLog(tenant.scope, chain.chainId);
    expect(log.map(({ sessionId }) => sessionId)).toEqual(chain.sessionIds);
    expect(log.map(({ report }) => report)).toEqual([
      { summary: 'Report of tier 1' },
      { summary: 'Report of tier 2' },
      { summary: 'Report of tier 3' },
    ]);
    for (const { events, lastSeq, isEnded, after } of log) {
      expect(events.map(({ seq }) => seq)).toEqual(
        Array.from({ length: lastSeq }, (_, index) => index + 1),
      );
      expect({ isEnded, after }).toEqual({ isEnded: true, after: 0 });
    }
  });

  it('is bounded: the first events of an ended session, the newest of one that runs', async () => {
    const [first, second] = chain.sessionUuids;
    const queries = await countQueries(() => getChainLog(tenant.scope, chain.chainId));
    await write(first, 1_000);
    await write(second, 1_000);
    await reviveSessions(database, 'running', `id = '${second}'`);
    const [ended, running] = await getChainLog(tenant.scope, chain.chainId);
    expect(ended?.events).toHaveLength(400);
    expect(ended?.events.at(-1)?.seq).toBe(400);
    expect(ended?.lastSeq).toBeGreaterThan(1_000);
    expect(running).toMatchObject({ isEnded: false, after: Number(running?.lastSeq) - 400 });
    expect(running?.events).toHaveLength(400);
    expect(running?.events.at(-1)?.seq).toBe(running?.lastSeq);
    expect(await countQueries(() => getChainLog(tenant.scope, chain.chainId))).toBe(queries);
  });

  it('is empty for another organization; a deleted log keeps its reports and its length', async () => {
    const other = await makeTenant();
    expect(await getChainLog(other.scope, chain.chainId)).toEqual([]);
    const { chainId } = await seedThreeTierChain(other, 'second');
    await inTransaction(other.scope, async (db) => {
      const ids = (await db.session.findMany({ select: { id: true } })).map(({ id }) => id);
      await db.sessionEvent.deleteMany({ where: { sessionId: { in: ids } } });
    });
    const pruned = await getChainLog(other.scope, chainId);
    expect(pruned.map(({ events, isEnded }) => [events.length, isEnded])).toEqual([
      [0, true],
      [0, true],
      [0, true],
    ]);
    expect(pruned.every(({ lastSeq, report }) => lastSeq > 0 && report !== null)).toBe(true);
  });
});
