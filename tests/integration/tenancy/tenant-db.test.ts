/** What our client keeps apart by itself: the login here is one that row-level security lets see everything. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { disconnectClients, tenantClient } from '@/lib/platform/db/clients';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { useTestDatabase } from '@/tests/support/database';
import { type FilledTenant, fillTenant } from './support/filled-tenant';

const database = useTestDatabase();
let a: FilledTenant;
let b: FilledTenant;

beforeAll(async () => {
  a = await fillTenant();
  b = await fillTenant();
  await disconnectClients();
  await reachWith(database.superuserUrl);
});

afterAll(() => reachWith(database.appUrl));

/** Environments are parsed once a process, so the parsed value is what has to change. */
async function reachWith(url: string) {
  const { env } = await import('@/lib/platform/env');
  Object.assign(env(), { appDatabaseUrl: url });
}

describe('a query through tenantDb, without the database’s help', () => {
  it('[SAS-1.3] reads are narrowed to the organization in scope', async () => {
    const rows = await inTransaction(a.alice, async (db) => ({
      many: await db.chain.findMany({}),
      widened: await db.chain.findMany({
        where: { OR: [{ organizationId: b.organizationId }, { organizationId: a.organizationId }] },
      }),
      first: await db.chain.findFirst({ where: { id: b.chainId } }),
      unique: await db.chain.findUnique({ where: { id: b.chainId } }),
      own: await db.chain.findUnique({ where: { id: a.chainId } }),
      count: await db.chain.count({ where: { id: { in: [a.chainId, b.chainId] } } }),
      sum: await db.ledgerEntry.aggregate({ _count: true }),
      groups: await db.session.groupBy({ by: ['organizationId'], _count: true }),
      organizationless: await db.project.findMany({ include: { chains: true } }),
    }));
    expect(rows.many.map((row) => row.id)).toEqual([a.chainId]);
    expect(rows.widened.map((row) => row.id)).toEqual([a.chainId]);
    expect([rows.first, rows.unique]).toEqual([null, null]);
    expect(rows.own?.id).toBe(a.chainId);
    expect(rows.count).toBe(1);
    expect(rows.sum._count).toBe(3);
    expect(rows.groups.map((group) => group.organizationId)).toEqual([a.organizationId]);
    expect(rows.organizationless.flatMap((row) => row.chains.map((chain) => chain.id))).toEqual([
      a.chainId,
    ]);
  });

  it('[SAS-1.3] writes reach no other organization’s row', async () => {
    const touched = await inTransaction(a.alice, async (db) => [
      await db.chain.updateMany({ where: { id: b.chainId }, data: { summary: 'taken' } }),
      await db.projectEvent.deleteMany({ where: { chainId: b.chainId } }),
      await db.chain.updateMany({ data: { summary: 'mine' } }),
    ]);
    expect(touched.map(({ count }) => count)).toEqual([0, 0, 1]);
    await expect(
      inTransaction(a.alice, (db) =>
        db.chain.update({ where: { id: b.chainId }, data: { summary: 'taken' } }),
      ),
    ).rejects.toThrow();
    await expect(
      inTransaction(a.alice, (db) => db.chain.delete({ where: { id: b.chainId } })),
    ).rejects.toThrow();
    const theirs = await inTransaction(b.alice, async (db) => ({
      chain: await db.chain.findFirstOrThrow({}),
      events: await db.projectEvent.count(),
    }));
    expect(theirs.chain.summary).not.toBe('taken');
    expect(theirs.events).toBeGreaterThan(0);
  });

  it('[SAS-1.3] naming another organization is an error, in data and in a condition', async () => {
    const organizationId = b.organizationId;
    const named = /different organization/;
    const attempts = [
      () => inTransaction(a.alice, (db) => db.chain.findMany({ where: { organizationId } })),
      () =>
        inTransaction(a.alice, (db) =>
          db.runnerPool.create({ data: { organizationId, name: 'x' } }),
        ),
      () =>
        inTransaction(a.alice, (db) =>
          db.runnerPool.createMany({ data: [{ organizationId, name: 'x' }] }),
        ),
      () => inTransaction(a.alice, (db) => db.chain.updateMany({ data: { organizationId } })),
      () =>
        inTransaction(a.alice, (db) =>
          db.runnerPool.upsert({
            where: { organizationId_name: { organizationId, name: 'default' } },
            create: { organizationId, name: 'x' },
            update: {},
          }),
        ),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow(named);
  });

  it('[SAS-1.3] an upsert cannot reach another organization’s row by its key', async () => {
    const organizationId = a.organizationId;
    await inTransaction(a.alice, (db) =>
      db.runnerPool.upsert({
        where: { organizationId_name: { organizationId: b.organizationId, name: 'default' } },
        create: { organizationId, name: `made-${Date.now()}` },
        update: { name: 'taken' },
      }),
    );
    const pools = await inTransaction(b.alice, (db) => db.runnerPool.findMany({}));
    expect(pools.map((pool) => pool.name)).toEqual(['default']);
  });

  it('[SAS-1.3] a write through a relation is an error', async () => {
    const nested = /not nested/;
    await expect(
      inTransaction(a.alice, (db) =>
        db.project.updateMany({
          data: { name: 'x', chains: { connect: { id: b.chainId } } } as { name: string },
        }),
      ),
    ).rejects.toThrow(nested);
    await expect(
      inTransaction(a.alice, (db) =>
        db.project.update({
          where: { id: a.projectId },
          data: { chains: { set: [{ id: b.chainId }] } },
        }),
      ),
    ).rejects.toThrow(nested);
  });

  it('[SAS-1.3] a query without a transaction, and a transaction without a tenant, are errors', async () => {
    await expect(tenantClient().chain.findMany({})).rejects.toThrow('needs a tenant');
    await expect(tenantClient().$transaction(async (tx) => await tx.chain.count())).rejects.toThrow(
      'needs a tenant',
    );
    await expect(
      inTransaction({ organizationId: "' or true --" as never }, (db) => db.chain.findMany({})),
    ).rejects.toThrow('not a UUID');
  });
});
