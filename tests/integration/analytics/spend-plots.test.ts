import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { totalOf } from '@/lib/insight/analytics/plots/cost';
import { getSpend } from '@/lib/insight/spend/get-spend';
import { getSpendPlots } from '@/lib/insight/spend/get-spend-plots';
import { SPEND_KINDS } from '@/lib/insight/spend/schema';
import { SPEND_RANGES, spanOf } from '@/lib/insight/spend/span';
import { changedBy } from '@/lib/platform/db/sql';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { Past } from './support/rows';

useTestDatabase();

const now = new Date('2026-11-21T14:58:00Z');
const limits = { spanWords: 'the range', dayLimitMicros: 5_000_000, monthLimitMicros: 20_000_000 };

/** A booking on each of some days, on either side of every range's edge. */
async function spender(): Promise<Past> {
  const past = new Past(await makeCast({}, new Date('2026-07-01T00:00:00Z')));
  const chainId = await past.chain(new Date('2026-07-02T00:00:00Z'));
  const moments = [
    ...['2026-08-20T12:00:00Z', '2026-08-24T00:00:00Z', '2026-10-22T23:59:59Z'],
    ...['2026-10-23T00:00:00Z', '2026-11-01T00:00:00Z', '2026-11-14T23:59:59Z'],
    ...['2026-11-15T00:00:00Z', '2026-11-18T09:00:00Z', '2026-11-19T09:00:00Z'],
    ...['2026-11-20T14:59:59Z', '2026-11-20T15:00:00Z', '2026-11-21T14:57:00Z'],
  ];
  for (const [index, moment] of moments.entries()) {
    const at = new Date(moment);
    const tier = (index % 3) + 1;
    const sessionId = await past.session(chainId, at, { tier });
    const end = index % 4 === 3 ? 'killed' : 'completed';
    const attemptId = await past.attempt(sessionId, at, { end });
    const costMicros = BigInt(100_000 + index * 1_001);
    const isEstimate = index % 5 === 4;
    await past.ledger({ sessionId, attemptId, chainId }, at, { costMicros, tier, isEstimate });
  }
  return past;
}

async function ledgerSum({ cast }: Past, from: Date, to: Date): Promise<number> {
  const { _sum } = await inTransaction(cast.alice, (db) =>
    db.ledgerEntry.aggregate({
      where: { bookedAt: { gte: from, lt: to } },
      _sum: { costMicros: true },
    }),
  );
  return Number(_sum.costMicros ?? 0n);
}

describe('[PAG-2.1] the plot, the table and the ledger', () => {
  it('come to the same sum in every range and under every filter', async () => {
    const past = await spender();
    const { alice } = past.cast;
    for (const range of SPEND_RANGES) {
      const span = spanOf(range, now);
      const table = await getSpend(alice, { ...span, groupBy: 'day' });
      const { cost } = await getSpendPlots(alice, { ...span, ...limits }, now);
      const plotted = cost.points.reduce((sum, point) => sum + (point ? totalOf(point) : 0), 0);
      const ledger = await ledgerSum(past, span.from, span.to);
      expect(ledger, range).toBeGreaterThan(0);
      expect(plotted, range).toBe(ledger);
      expect(table.total.micros, range).toBe(ledger);
      expect(table.rows.reduce((sum, row) => sum + row.micros, 0)).toBe(ledger);
    }
    const span = spanOf('30d', now);
    const sums = await Promise.all(
      SPEND_KINDS.map(async (kind) => {
        const { total } = await getSpend(alice, { ...span, kind, groupBy: 'tier' });
        const { cost } = await getSpendPlots(alice, { ...span, ...limits, kind }, now);
        expect(cost.points.reduce((sum, point) => sum + (point ? totalOf(point) : 0), 0)).toBe(
          total.micros,
        );
        return total.micros;
      }),
    );
    expect(sums.every((micros) => micros > 0)).toBe(true);
    expect(sums.reduce((sum, micros) => sum + micros, 0)).toBe(
      await ledgerSum(past, span.from, span.to),
    );
  });

  it('keep the days of a deleted project', async () => {
    const past = await spender();
    const { alice, projectId } = past.cast;
    const span = spanOf('30d', now);
    const before = await ledgerSum(past, span.from, span.to);
    await inTransaction(alice, async (db) => {
      await db.project.deleteMany({ where: { id: projectId } });
      await changedBy(
        db,
        sql`insert into deleted_project (organization_id, project_id, name, slug, deleted_at, deleted_by)
          values (${alice.organizationId}::uuid, ${projectId}::uuid, 'Checkout', 'checkout', ${now}, 'Alice')`,
      );
    });
    const { cost } = await getSpendPlots(alice, { ...span, ...limits }, now);
    expect(cost.points.reduce((sum, point) => sum + (point ? totalOf(point) : 0), 0)).toBe(before);
  });

  it('stop at the limit of a day only where a column is a day of all that is spent', async () => {
    const { cast } = await spender();
    const limitOf = async (range: (typeof SPEND_RANGES)[number], filter: object = {}) =>
      (await getSpendPlots(cast.alice, { ...spanOf(range, now), ...limits, ...filter }, now)).cost
        .limitMicros;
    expect(await limitOf('7d')).toBe(5_000_000);
    expect(await limitOf('24h')).toBeNull();
    expect(await limitOf('90d')).toBeNull();
    expect(await limitOf('7d', { tier: 2 })).toBeNull();
  });
});

describe('[PAG-2.1] the month', () => {
  it('adds up to what was booked in it, and forecasts from the last whole days', async () => {
    const past = await spender();
    const { alice } = past.cast;
    const { month } = await getSpendPlots(alice, { ...spanOf('7d', now), ...limits }, now);
    const span = spanOf('month', now);
    expect(month.monthMicros).toBe(await ledgerSum(past, span.from, span.to));
    // The 14th to the 20th.
    const week = await ledgerSum(
      past,
      new Date('2026-11-14T00:00:00Z'),
      new Date('2026-11-21T00:00:00Z'),
    );
    expect(month.forecast).toMatchObject({ paceDays: 7, paceMicros: Math.round(week / 7) });
    expect(month.forecast?.micros).toBeGreaterThan(month.monthMicros);
  });

  it('has no forecast on the first days, and says why', async () => {
    const past = new Past(await makeCast({}, new Date('2026-11-20T00:00:00Z')));
    const at = new Date('2026-11-20T10:00:00Z');
    const chainId = await past.chain(at);
    const sessionId = await past.session(chainId, at);
    const attemptId = await past.attempt(sessionId, at);
    await past.ledger({ sessionId, attemptId, chainId }, at, { costMicros: 500_000n });
    const { month } = await getSpendPlots(
      past.cast.alice,
      { ...spanOf('7d', now), ...limits },
      now,
    );
    expect(month.forecast).toBeNull();
    expect(month.sentence).toContain('No forecast: it takes 3 whole days');
  });

  it('is nothing of another organization', async () => {
    await spender();
    const other = await makeCast();
    const { cost, month } = await getSpendPlots(
      other.alice,
      { ...spanOf('90d', now), ...limits },
      now,
    );
    expect(cost.isEmpty).toBe(true);
    expect(month.monthMicros).toBe(0);
  });
});
