import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getOverview } from '@/lib/insight/dashboard/get-overview';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { connect } from '../tenancy/support/tenant-tables';

const database = useTestDatabase();
let superuser: pg.Client;
beforeAll(async () => {
  superuser = await connect(database.superuserUrl);
});
afterAll(() => superuser.end());

const months = ({ alice }: Cast) =>
  inTransaction(alice, (db) =>
    db.monthlyUsage.findMany({
      orderBy: { month: 'asc' },
      select: { month: true, costMicros: true },
    }),
  );

const of = (cast: Cast, day: string, model: string) => ({
  organizationId: cast.alice.organizationId,
  projectId: cast.projectId,
  day: new Date(day),
  tier: 1,
  model,
});

describe('[FLT-6.1] a project’s month', () => {
  it('is the sum of its days, through bookings, corrections and deletions', async () => {
    const cast = await makeCast();
    await inTransaction(cast.alice, async (db) => {
      for (const [day, model, cost] of [
        ['2026-01-31', 'haiku', 5n],
        ['2026-02-01', 'haiku', 7n],
        ['2026-02-28', 'opus', 11n],
      ] as const) {
        await db.dailyUsage.create({
          data: { ...of(cast, day, model), costMicros: cost, tokens: 1n },
        });
      }
    });
    const [january, february] = [new Date('2026-01-01'), new Date('2026-02-01')];
    expect(await months(cast)).toEqual([
      { month: january, costMicros: 5n },
      { month: february, costMicros: 18n },
    ]);
    await inTransaction(cast.alice, async (db) => {
      await db.dailyUsage.updateMany({
        where: of(cast, '2026-02-01', 'haiku'),
        data: { costMicros: 3n },
      });
      await db.dailyUsage.deleteMany({ where: of(cast, '2026-01-31', 'haiku') });
    });
    expect(await months(cast)).toEqual([
      { month: january, costMicros: 0n },
      { month: february, costMicros: 14n },
    ]);
    const { projects } = await getOverview(cast.alice, new Date('2026-02-28T12:00:00Z'));
    expect(projects).toMatchObject([{ dayMicros: 11, monthMicros: 14 }]);
    const other = await makeCast();
    expect(await months(other)).toEqual([]);
    await superuser.query('delete from organization where id = $1', [cast.alice.organizationId]);
    const { rows } = await superuser.query('select from monthly_usage where organization_id = $1', [
      cast.alice.organizationId,
    ]);
    expect(rows).toEqual([]);
  });

  it('is right, and nobody deadlocks, when many book at once for several models', async () => {
    const cast = await makeCast();
    const models = ['haiku', 'sonnet', 'opus'];
    const book = (order: readonly string[]) =>
      inTransaction(cast.alice, async (db) => {
        for (const model of order) {
          const key = of(cast, '2026-03-05', model);
          await db.dailyUsage.upsert({
            where: { organizationId_projectId_day_tier_model: key },
            create: { ...key, costMicros: 1n, tokens: 1n },
            update: { costMicros: { increment: 1n } },
          });
        }
      });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        book(index % 2 === 0 ? models : models.toReversed()),
      ),
    );
    expect(await months(cast)).toEqual([{ month: new Date('2026-03-01'), costMicros: 60n }]);
  });
});
