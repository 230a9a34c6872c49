import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/lib/platform/db/global-db';
import { changedBy, rowsOf } from '@/lib/platform/db/sql';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { fillTenant } from './support/filled-tenant';

useTestDatabase();

const VALUES = [
  `9007199254740993::bigint`,
  `42::int`,
  `7::smallint`,
  `0.25::float8`,
  `123.45::numeric`,
  `true`,
  `'text'::text`,
  `'a'::varchar`,
  `'0198b0c8-0000-7000-8000-000000000000'::uuid`,
  `'2026-03-29 01:59:59.123456+00'::timestamptz`,
  `'2026-03-29 01:59:59.5'::timestamp`,
  `'2026-03-29'::date`,
  `'{"a":[1,null,"x"]}'::jsonb`,
  `'"text"'::jsonb`,
  `'\\x00ff'::bytea`,
  `array[1, null, 9007199254740993]::bigint[]`,
  `array['a', null, 'b,"c"']::text[]`,
  `array['0198b0c8-0000-7000-8000-000000000000']::uuid[]`,
  `array['2026-03-29 01:59:59+00']::timestamptz[]`,
  `array['2026-03-29']::date[]`,
  `array[1.5, 2]::numeric[]`,
  `array['{"a":1}']::jsonb[]`,
  `array[]::int[]`,
  `null::timestamptz`,
];

const PARAMETERS = [
  ['text', 'a ’quoted’ text'],
  ['text', null],
  ['integer', 7],
  ['bigint', 9_007_199_254_740_993n],
  ['float8', 0.1],
  ['boolean', false],
  ['timestamptz', new Date('2026-03-29T01:59:59.123Z')],
  ['timestamp', new Date('2026-03-29T23:59:59.123Z')],
  ['bytea', Uint8Array.of(0, 92, 255)],
  ['text[]', ['a', 'b"c', '{}', '']],
  ['integer[]', [1, 2]],
  ['bytea[]', [Uint8Array.of(1), Uint8Array.of(255, 0)]],
] as const;

/** Buffers and byte arrays alike. */
function comparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return [...value];
  return Array.isArray(value) ? value.map(comparable) : value;
}

describe('SQL that is sent past Prisma', () => {
  it('gives the values that Prisma gives', async () => {
    const { alice } = await makeCast();
    const text = `select ${VALUES.map((value, index) => `${value} as "${index}"`).join(', ')}`;
    const [expected] = await systemDb('compared').$queryRaw<Record<string, unknown>[]>(
      Prisma.raw(text),
    );
    const [found] = await inTransaction(alice, (db) =>
      rowsOf(db, sql.raw<Record<string, unknown>>(text)),
    );
    for (const [index, value] of VALUES.entries()) {
      expect(comparable(found?.[index]), value).toEqual(comparable(expected?.[index]));
    }
  });

  it.each(PARAMETERS)(
    'takes a parameter of type %s as Prisma takes it: %o',
    async (type, value) => {
      const { alice } = await makeCast();
      const [expected] = await systemDb('compared').$queryRaw<{ value: unknown }[]>(
        Prisma.sql`select ${value}::${Prisma.raw(type)} as value`,
      );
      const [found] = await inTransaction(alice, (db) =>
        rowsOf(db, sql<{ value: unknown }>`select ${value}::${sql.raw(type)} as value`),
      );
      expect(comparable(found?.value)).toEqual(comparable(expected?.value));
    },
  );

  it('takes a time as a day of UTC, wherever the process runs', async () => {
    const { alice } = await makeCast();
    const zone = process.env.TZ;
    process.env.TZ = 'Pacific/Kiritimati';
    try {
      const at = new Date('2026-03-29T23:30:00Z');
      const read = sql<object>`select ${at}::date::text as day, ${[at]}::timestamptz[] as times`;
      const [row] = await inTransaction(alice, (db) => rowsOf(db, read));
      expect(row).toEqual({ day: '2026-03-29', times: [at] });
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  it('belongs to the transaction: it is taken back with it', async () => {
    const { alice, chainId } = await fillTenant();
    const change = inTransaction(alice, async (db) => {
      const write = sql`update chain set summary = 'raw' where id = ${chainId}::uuid`;
      expect(await changedBy(db, write)).toBe(1);
      expect((await db.chain.findUniqueOrThrow({ where: { id: chainId } })).summary).toBe('raw');
      throw new Error('taken back');
    });
    await expect(change).rejects.toThrow('taken back');
    const chain = await inTransaction(alice, (db) =>
      db.chain.findUniqueOrThrow({ where: { id: chainId } }),
    );
    expect(chain.summary).not.toBe('raw');
  });

  it('keeps PostgreSQL’s code in the error, and takes the transaction back', async () => {
    const { alice, chainId } = await fillTenant();
    const failing = inTransaction(alice, async (db) => {
      await db.chain.updateMany({ where: { id: chainId }, data: { summary: 'half' } });
      await changedBy(db, sql`select 1 / 0`);
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    const chain = await inTransaction(alice, (db) =>
      db.chain.findUniqueOrThrow({ where: { id: chainId } }),
    );
    expect(chain.summary).not.toBe('half');
  });

  it.each([
    ['committed', async () => undefined],
    [
      'rolled back',
      async () => {
        throw new Error('no');
      },
    ],
  ])(
    '[SAS-1.3] is refused once its transaction is %s, and reaches nobody else’s',
    async (_, end) => {
      const [one, other] = [await fillTenant(), await fillTenant()];
      let left: TenantDb | undefined;
      await inTransaction(one.alice, async (db) => {
        left = db;
        await end();
      }).catch(() => undefined);
      const own = sql`select id from chain`;
      await inTransaction(other.alice, async (db) => {
        await db.chain.findMany({});
        if (!left) throw new Error('There was no transaction.');
        await expect(rowsOf(left, own)).rejects.toThrow('The transaction has ended.');
        expect(await rowsOf(db, own)).toEqual([{ id: other.chainId }]);
      });
    },
  );
});
