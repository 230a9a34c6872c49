import { describe, expect, it } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import { exportSessions } from '@/lib/insight/sessions/export-sessions';
import { browseSessions } from '@/lib/insight/sessions/list-sessions';
import type { SessionPage } from '@/lib/insight/sessions/schema';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

const limit = 2;

async function runChain({ alice, runner, projectId }: Cast, tiers: number): Promise<void> {
  await startChain(alice, { projectId, trigger: 'manual' });
  for (let tier = 1; tier <= tiers; tier += 1) {
    const report = tier < tiers ? wantsHelp() : {};
    await play(runner, await claimNext(runner), { report });
  }
}

async function runChains(count: number): Promise<Cast> {
  const cast = await makeCast();
  for (let made = 0; made < count; made += 1) await runChain(cast, 1);
  return cast;
}

const numbersOf = ({ groups }: SessionPage) => groups.map(({ chainNumber }) => chainNumber);

describe('the list of sessions', () => {
  it('is walked down and up again by chain, newest first', async () => {
    const { alice } = await runChains(5);
    const first = await browseSessions(alice, { limit });
    const second = await browseSessions(alice, { limit, before: first.olderThan ?? '' });
    const third = await browseSessions(alice, { limit, before: second.olderThan ?? '' });
    expect([first, second, third].map(numbersOf)).toEqual([[5, 4], [3, 2], [1]]);
    expect([first.newerThan, third.olderThan]).toEqual([null, null]);
    const back = await browseSessions(alice, { limit, after: third.newerThan ?? '' });
    expect(numbersOf(back)).toEqual([3, 2]);
    expect(back.total.count).toBe(5);
  });

  it('shows of a chain what matches, with the cost of all of it', async () => {
    const cast = await runChains(1);
    await runChain(cast, 2);
    const { groups, total } = await browseSessions(cast.alice, { limit, tier: 2 });
    expect(groups.map(({ chainNumber }) => chainNumber)).toEqual([2]);
    expect(groups[0]?.sessions.map(({ tier }) => tier)).toEqual([2]);
    expect(groups[0]?.sessionCount).toBe(2);
    expect(total.count).toBe(1);
    expect(groups[0]?.chainCostMicros).toBe(2 * (total.costMicros ?? 0));
  });

  it('holds and sums only what was made within its time', async () => {
    const { alice } = await runChains(2);
    const hourMs = 3_600_000;
    const [ago, ahead] = [-hourMs, hourMs].map((ms) => new Date(Date.now() + ms));
    const within = await browseSessions(alice, { limit, since: ago });
    const ever = await browseSessions(alice, { limit });
    expect(numbersOf(within)).toEqual([2, 1]);
    expect(within.total).toEqual(ever.total);
    expect(within.total.costMicros).toBeGreaterThan(0);
    const later = await browseSessions(alice, { limit, since: ahead });
    expect(later).toMatchObject({ groups: [], total: { count: 0, costMicros: 0 } });
    const earlier = await browseSessions(alice, { limit, since: new Date(0), until: ago });
    expect(earlier).toMatchObject({ groups: [], total: { count: 0, costMicros: 0 } });
  });

  it('finds sessions by their reason, their report or their number', async () => {
    const { alice } = await runChains(2);
    await inTransaction(alice, (db) =>
      db.session.updateMany({
        where: { number: 2 },
        data: { statusText: 'The 100% limit of TURNS' },
      }),
    );
    const found = async (text: string) =>
      (await browseSessions(alice, { limit, text })).groups.flatMap(({ sessions }) =>
        sessions.map(({ number }) => number),
      );
    expect(await found('turns')).toEqual([2]);
    expect(await found('100% limit')).toEqual([2]);
    expect(await found('all services answer')).toEqual([2, 1]);
    expect(await found('#1')).toEqual([1]);
    expect(await found('nothing of it')).toEqual([]);
    expect((await browseSessions(alice, { limit, text: 'turns' })).total.count).toBe(1);
  });

  it('says which numbers between its rows questions in Ask took', async () => {
    const { alice, projectSlug: project } = await runChains(3);
    expect((await browseSessions(alice, { limit: 9, project })).askNumbers).toEqual([]);
    await inTransaction(alice, (db) =>
      db.session.updateMany({ where: { number: 2 }, data: { kind: 'ask', chainId: null } }),
    );
    const { askNumbers } = await browseSessions(alice, { limit: 9, project });
    expect(askNumbers).toEqual([{ number: 2, conversationId: null }]);
    expect((await browseSessions(alice, { limit: 9 })).askNumbers).toEqual([]);
  });

  it('is exported with the same filters, all pages of it', async () => {
    const cast = await runChains(2);
    await runChain(cast, 2);
    const csv = async (query: Parameters<typeof exportSessions>[1]) => {
      let text = '';
      for await (const part of await exportSessions(cast.alice, query)) text += part;
      return text
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(','));
    };
    const all = await csv({});
    expect(all[0]?.[0]).toBe('\uFEFFsession');
    expect(all.slice(1).map((line) => line.slice(0, 4))).toEqual([
      ['4', 'checkout', '3', '2'],
      ['3', 'checkout', '3', '1'],
      ['2', 'checkout', '2', '1'],
      ['1', 'checkout', '1', '1'],
    ]);
    expect((await csv({ tier: 2 })).slice(1).map(([number]) => number)).toEqual(['4']);
    expect(
      await csv({ to: '2026-01-01T00:00:00.000Z', from: '2025-01-01T00:00:00.000Z' }),
    ).toHaveLength(1);
    const other = await makeCast();
    let foreign = '';
    for await (const part of await exportSessions(other.alice, {})) foreign += part;
    expect(foreign.trimEnd().split('\r\n')).toHaveLength(1);
  });

  it('holds nothing of another organization', async () => {
    await runChains(1);
    const other = await makeCast();
    expect(await browseSessions(other.alice, { limit })).toMatchObject({ groups: [] });
  });
});
