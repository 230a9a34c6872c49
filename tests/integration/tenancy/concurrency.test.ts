/** Many requests of many tenants at once on few connections, as in production. */

import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { changedBy, lookedUp, rowsOf } from '@/lib/platform/db/sql';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { useTestDatabase } from '@/tests/support/database';
import { type FilledTenant, fillTenant } from './support/filled-tenant';

useTestDatabase();

let tenants: FilledTenant[];

beforeAll(async () => {
  tenants = [];
  for (let count = 0; count < 5; count += 1) tenants.push(await fillTenant());
});

class TakenBack extends Error {}

/** Different kinds of request; each answers the organizations of all rows it saw. */
const REQUESTS: ((db: TenantDb, own: FilledTenant, other: FilledTenant) => Promise<unknown[]>)[] = [
  async (db) => (await db.sessionEvent.findMany({})).map((row) => row.organizationId),
  async (db, own, other) => {
    const found = await Promise.all([
      db.chain.findUnique({ where: { id: own.chainId } }),
      db.chain.findUnique({ where: { id: other.chainId } }),
    ]);
    expect(found[0]?.id).toBe(own.chainId);
    expect(found[1]).toBeNull();
    return found.flatMap((row) => row?.organizationId ?? []);
  },
  async (db) =>
    (await db.session.groupBy({ by: ['organizationId'] })).map((row) => row.organizationId),
  async (db) => {
    const rows = await db.project.findMany({ include: { chains: true } });
    return rows.flatMap((row) => row.chains.map((chain) => chain.organizationId));
  },
  async (db) => {
    const read = sql<{ id: string }>`select organization_id as id from ledger_entry`;
    return (await rowsOf(db, read)).map((row) => row.id);
  },
  async (db, own, other) => {
    const write = sql`update chain set summary = ${own.organizationId} where id in (${own.chainId}::uuid, ${other.chainId}::uuid)`;
    expect(await changedBy(db, write)).toBe(1);
    return [];
  },
  async (db, own) => {
    const rows = await db.chain.findMany({ where: { summary: 'never kept' } });
    await db.chain.updateMany({ where: { id: own.chainId }, data: { summary: 'never kept' } });
    expect(rows).toEqual([]);
    throw new TakenBack();
  },
  async (db, _own, other) => {
    await db.runnerPool.create({ data: { organizationId: other.organizationId, name: 'pushed' } });
    return [];
  },
];

describe('requests of five tenants at once', () => {
  it('[SAS-1.3] 200 of them, failing ones among them, show and change own rows only', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const own = tenants[index % 5] as FilledTenant;
        const other = tenants[(index + 1) % 5] as FilledTenant;
        const request = REQUESTS[Math.floor(index / 5) % REQUESTS.length];
        try {
          const seen = await inTransaction(own.alice, async (db) => request?.(db, own, other));
          return { own: own.organizationId, seen: seen ?? [], failure: null };
        } catch (error) {
          return { own: own.organizationId, seen: [], failure: error };
        }
      }),
    );
    const leaks = outcomes.filter(({ own, seen }) => seen.some((id) => id !== own));
    expect(leaks).toEqual([]);
    expect(outcomes.flatMap(({ seen }) => seen).length).toBeGreaterThan(400);
    const failures = outcomes.flatMap(({ failure }) => (failure === null ? [] : [String(failure)]));
    expect(failures.filter((text) => text === 'Error')).toHaveLength(25);
    expect(failures.filter((text) => text.includes('a different organization'))).toHaveLength(25);
    expect(failures).toHaveLength(50);
    for (const own of tenants) {
      const chain = await inTransaction(own.alice, (db) => db.chain.findFirstOrThrow({}));
      expect(chain.summary).toBe(own.organizationId);
    }
  });

  it('[SAS-1.3] look-ups by id of two tenants in the same tick each get their own row', async () => {
    const found = await Promise.all(
      tenants.map((own) =>
        inTransaction(own.alice, (db) => db.chain.findUnique({ where: { id: own.chainId } })),
      ),
    );
    expect(found.map((row) => row?.id)).toEqual(tenants.map((own) => own.chainId));
  });

  it('[SAS-1.3] no connection keeps a tenant', async () => {
    const left = await Promise.all(
      Array.from({ length: 60 }, () =>
        lookedUp(
          sql<{
            tenant: string | null;
          }>`select current_setting('app.organization_id', true) as tenant`,
        ),
      ),
    );
    expect(left.flat().filter((row) => row.tenant)).toEqual([]);
  });
});
