import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { getSpend, getUsage, writeSpend } from '@/lib/insight/spend/get-spend';
import { SPEND_GROUPS } from '@/lib/insight/spend/schema';
import { spanOf } from '@/lib/insight/spend/span';
import { changedBy } from '@/lib/platform/db/sql';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { InvalidError, NotFoundError } from '@/lib/platform/errors';
import { makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { Past } from './support/rows';

useTestDatabase();

const now = new Date('2026-11-21T14:58:00Z');
const week = spanOf('7d', now);
const at = (day: string, clock = '10:00') => new Date(`2026-11-${day}T${clock}:00Z`);

/** Three sessions of two days: $0.03, $0.47 and $2.00, of the last one half estimated. */
async function spender(): Promise<Past> {
  const past = new Past(await makeCast({}, at('01')));
  const chainId = await past.chain(at('20'));
  const book = async (day: Date, costMicros: bigint, tier: number, model: string) => {
    const sessionId = await past.session(chainId, day, { tier });
    const attemptId = await past.attempt(sessionId, day);
    await past.ledger({ sessionId, attemptId, chainId }, day, { costMicros, tier, model });
    return { sessionId, attemptId, chainId };
  };
  await book(at('20'), 30_000n, 1, 'haiku');
  await book(at('20'), 470_000n, 2, 'sonnet');
  const last = await book(at('21'), 1_000_000n, 3, 'opus');
  const estimate = { costMicros: 1_000_000n, tier: 3, model: 'sonnet', isEstimate: true };
  await past.ledger(last, at('21'), estimate);
  return past;
}

describe('[SAS-4.1] what was spent', () => {
  it('is summed by day, project, tier, model and session, and each sum is the same', async () => {
    const { cast } = await spender();
    for (const groupBy of SPEND_GROUPS) {
      const page = await getSpend(cast.alice, { ...week, groupBy });
      expect(page.total, groupBy).toEqual({
        entries: 4,
        tokens: 4_000,
        micros: 2_500_000,
        estimateMicros: 1_000_000,
      });
      expect(page.rows.reduce((sum, row) => sum + row.micros, 0)).toBe(page.total.micros);
      expect(page.rest).toBeNull();
    }
    const of = async (groupBy: (typeof SPEND_GROUPS)[number]) =>
      (await getSpend(cast.alice, { ...week, groupBy })).rows.map((row) => [row.label, row.micros]);
    expect(await of('day')).toEqual([
      ['2026-11-21', 2_000_000],
      ['2026-11-20', 500_000],
    ]);
    expect(await of('tier')).toEqual([
      ['Tier 1', 30_000],
      ['Tier 2', 470_000],
      ['Tier 3', 2_000_000],
    ]);
    expect(await of('model')).toEqual([
      ['sonnet', 1_470_000],
      ['opus', 1_000_000],
      ['haiku', 30_000],
    ]);
    expect(await of('project')).toEqual([['Checkout', 2_500_000]]);
  });

  it('is narrowed by tier, model, project and span alike in rows and sum', async () => {
    const { cast } = await spender();
    const sum = async (filter: object) =>
      (await getSpend(cast.alice, { ...week, groupBy: 'day', ...filter })).total.micros;
    expect(await sum({ tier: 2 })).toBe(470_000);
    expect(await sum({ model: 'sonnet' })).toBe(1_470_000);
    expect(await sum({ model: 'sonnet', tier: 3 })).toBe(1_000_000);
    expect(await sum({ project: 'checkout' })).toBe(2_500_000);
    expect(await sum({ from: at('20', '10:00'), to: at('21', '10:00') })).toBe(500_000);
    await expect(sum({ project: 'billing' })).rejects.toThrow(NotFoundError);
  });

  it('is by day what the rollup says, on every day of UTC', async () => {
    const { cast } = await spender();
    const { rows } = await getSpend(cast.alice, { ...week, groupBy: 'day' });
    const rollup = await inTransaction(cast.alice, (db) =>
      db.dailyUsage.groupBy({ by: ['day'], _sum: { costMicros: true, tokens: true } }),
    );
    const plain = rollup.map((row) => [
      row.day.toISOString().slice(0, 10),
      Number(row._sum.costMicros),
      Number(row._sum.tokens),
    ]);
    expect(rows.map((row) => [row.key, row.micros, row.tokens]).toSorted()).toEqual(
      plain.toSorted(),
    );
  });

  it('names a killed process that left no figure, and not one that never reached a model', async () => {
    const past = await spender();
    const chainId = await past.chain(at('21'));
    const sessionId = await past.session(chainId, at('21'));
    const settledAt = at('21', '11:00');
    await past.attempt(sessionId, at('21'), { end: 'killed', settledAt });
    await past.attempt(sessionId, at('21'), { end: 'start_failed', settledAt, number: 2 });
    const { missing } = await getSpend(past.cast.alice, { ...week, groupBy: 'day' });
    expect(missing).toEqual([{ end: 'killed', count: 1 }]);
    const csv = await writeSpend(past.cast.alice, {
      from: week.from.toISOString(),
      to: week.to.toISOString(),
      groupBy: 'tier',
    });
    expect(csv.split('\r\n')).toEqual([
      'tier,ledger rows,tokens,cost (USD),estimated (USD)',
      'Tier 1,1,1000,0.03,0',
      'Tier 2,1,1000,0.47,0',
      'Tier 3,2,2000,2,1',
      'Usage is missing for 1 killed attempt.,,,,',
      'Total,4,4000,2.5,1',
      '',
    ]);
  });

  it('keeps the days of a project that was deleted, under its name', async () => {
    const { cast } = await spender();
    const { organizationId } = cast.alice;
    await inTransaction(cast.alice, async (db) => {
      await db.project.deleteMany({ where: { id: cast.projectId } });
      await changedBy(
        db,
        sql`insert into deleted_project (organization_id, project_id, name, slug, deleted_at, deleted_by)
          values (${organizationId}::uuid, ${cast.projectId}::uuid, 'Checkout', 'checkout', ${at('22')}, 'Alice')`,
      );
    });
    const page = await getSpend(cast.alice, { ...week, groupBy: 'project' });
    expect(page.total.micros).toBe(2_500_000);
    expect(page.rows).toMatchObject([
      { label: 'Checkout (deleted 22 Nov)', project: null, entries: null, micros: 2_500_000 },
    ]);
    const days = await getSpend(cast.alice, { ...week, groupBy: 'day' });
    expect(days.rows.map((row) => row.micros)).toEqual([2_000_000, 500_000]);
  });

  it('is nothing of another organization', async () => {
    await spender();
    const other = await makeCast();
    const page = await getSpend(other.alice, { ...week, groupBy: 'day' });
    expect(page).toMatchObject({ rows: [], missing: [], models: [], total: { micros: 0 } });
  });
});

it('[SAS-6.2] the API answers the same sums in dollars, and refuses a span that runs backwards', async () => {
  const { cast } = await spender();
  const span = { from: week.from.toISOString(), to: week.to.toISOString() };
  const usage = await getUsage(cast.alice, { ...span, groupBy: 'tier' });
  expect(usage).toMatchObject({ totalCostUsd: 2.5, totalTokens: 4_000, estimatedUsd: 1 });
  expect(usage.data.map((row) => [row.key, row.costUsd])).toEqual([
    ['1', 0.03],
    ['2', 0.47],
    ['3', 2],
  ]);
  const backwards = { from: span.to, to: span.from, groupBy: 'tier' } as const;
  await expect(getUsage(cast.alice, backwards)).rejects.toThrow(InvalidError);
});
