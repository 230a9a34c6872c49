import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tenantPool } from '@/lib/platform/db/clients';
import { inSystemTransaction } from '@/lib/platform/db/global-db';
import { beforeCommit } from '@/lib/platform/db/raw';
import { insertRows, updateRow, upsertRow } from '@/lib/platform/db/rows';
import { changedBy, rowsOf } from '@/lib/platform/db/sql';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { runAsTenant } from '@/lib/platform/db/tenant-pool';
import { runSql, useTestDatabase } from '@/tests/support/database';
import { type FilledTenant, fillTenant } from './support/filled-tenant';

const database = useTestDatabase();

const warnings: string[] = [];
const note = ({ message }: Error) => void warnings.push(message);
let tenant: FilledTenant;

beforeAll(async () => {
  process.on('warning', note);
  tenant = await fillTenant();
});
afterAll(() => {
  process.off('warning', note);
});

const summaryOf = async ({ alice, chainId }: FilledTenant) =>
  (await inTransaction(alice, (db) => db.chain.findUniqueOrThrow({ where: { id: chainId } })))
    .summary;

const anySession = async ({ alice }: FilledTenant) =>
  (await inTransaction(alice, (db) => db.session.findFirstOrThrow({}))).id;

/** Each takes a moment, so that the next is sent before it is answered. */
const write = (summary: string) =>
  sql`update chain set summary = ${summary} from pg_sleep(0.05) where id = ${tenant.chainId}::uuid`;

describe('a transaction', () => {
  it('takes the relations of an include at once, which pg allows', async () => {
    const { alice, chainId } = tenant;
    const chain = await inTransaction(alice, (db) =>
      db.chain.findUniqueOrThrow({
        where: { id: chainId },
        include: { project: true, sessions: { include: { attempts: true, decisions: true } } },
      }),
    );
    expect(chain.sessions.map((session) => session.attempts.length)).toEqual([1, 1]);
    expect(warnings).toEqual([]);
  });

  it('commits writes that nobody waited for, in their order', async () => {
    await inTransaction(tenant.alice, async (db) => {
      for (const summary of ['one', 'two', 'three']) {
        beforeCommit(db, changedBy(db, write(summary)));
      }
    });
    expect(await summaryOf(tenant)).toBe('three');
  });

  it('shows such a write to later queries, of Prisma too', async () => {
    const { alice, chainId } = tenant;
    await inTransaction(alice, async (db) => {
      beforeCommit(db, changedBy(db, write('seen')));
      const read = sql`select summary from chain where id = ${chainId}::uuid`;
      expect(await rowsOf(db, read)).toEqual([{ summary: 'seen' }]);
      expect((await db.chain.findUniqueOrThrow({ where: { id: chainId } })).summary).toBe('seen');
    });
  });

  it('is taken back when such a write fails, and fails with its error', async () => {
    await inTransaction(tenant.alice, async (db) => {
      beforeCommit(db, changedBy(db, write('kept')));
    });
    const failing = inTransaction(tenant.alice, async (db) => {
      beforeCommit(db, changedBy(db, write('lost')));
      beforeCommit(db, changedBy(db, sql`select 1 / 0`));
      beforeCommit(db, changedBy(db, write('refused')));
      return 'done';
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await summaryOf(tenant)).toBe('kept');
  });

  it('fails with the error of such a write also when a later query met it first', async () => {
    const failing = inTransaction(tenant.alice, async (db) => {
      beforeCommit(db, changedBy(db, sql`select 1 / 0 from pg_sleep(0.05)`));
      await db.chain.findMany({});
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
  });

  it('is taken back also when its work continues after a failed query', async () => {
    await inTransaction(tenant.alice, async (db) => {
      beforeCommit(db, changedBy(db, write('intact')));
    });
    const failing = inTransaction(tenant.alice, async (db) => {
      beforeCommit(db, changedBy(db, write('lost')));
      await rowsOf(db, sql`select 1 / 0`).catch(() => []);
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await summaryOf(tenant)).toBe('intact');
  });

  it('fails with its work’s own error when that explains a failed query', async () => {
    const failing = inTransaction(tenant.alice, async (db) => {
      await rowsOf(db, sql`select 1 / 0`).catch(() => {
        throw new Error('Nobody can divide by zero.');
      });
    });
    await expect(failing).rejects.toThrow('Nobody can divide by zero.');
  });

  it('refuses a value that can’t be sent, and keeps the statement for the next', async () => {
    await inTransaction(tenant.alice, async (db) => {
      const of = (value: object) => sql`SELECT ${value}::jsonb as value, 1 as same_text`;
      expect(await rowsOf(db, of({ a: 1 }))).toMatchObject([{ value: { a: 1 } }]);
      await expect(rowsOf(db, of({ a: 1n }))).rejects.toThrow('BigInt');
      expect(await rowsOf(db, of({ a: 2 }))).toMatchObject([{ value: { a: 2 } }]);
    });
  });

  it('waits for such a write when its own work fails', async () => {
    await inTransaction(tenant.alice, async (db) => {
      beforeCommit(db, changedBy(db, write('before')));
    });
    const failing = inTransaction(tenant.alice, async (db) => {
      beforeCommit(db, changedBy(db, write('half')));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await summaryOf(tenant)).toBe('before');
  });
});

describe('a row that is written past Prisma', () => {
  const at = new Date('2026-03-29T01:59:59.123Z');
  const noticeOf = ({ organizationId, projectId }: FilledTenant, id: string, code: string) => ({
    ...{ id, organizationId, projectId, code, at },
    level: 'info',
    message: 'a "quoted" text',
    service: null,
  });
  const IDS = ['0198b0c8-0000-7000-8000-00000000000a', '0198b0c8-0000-7000-8000-00000000000b'];

  it('is inserted, several at once, and a repeat is skipped', async () => {
    const rows = IDS.map((id, index) => noticeOf(tenant, id, `CODE_${index}`));
    const counts = await inTransaction(tenant.alice, async (db) => [
      await insertRows(db, 'projectEvent', rows),
      await insertRows(db, 'projectEvent', rows, { skipsDuplicates: true }),
    ]);
    expect(counts).toEqual([2, 0]);
    const stored = await inTransaction(tenant.alice, (db) =>
      db.projectEvent.findMany({ where: { id: { in: IDS } }, orderBy: { id: 'asc' } }),
    );
    expect(stored).toMatchObject(rows);
  });

  it('is inserted with 7,000 others, which are more values than a statement takes', async () => {
    const rows = Array.from({ length: 7_000 }, (_, index) => ({
      ...noticeOf(tenant, uuidv7(), `MANY_${index}`),
      chainId: null,
      sessionId: null,
    }));
    const count = await inTransaction(tenant.alice, (db) => insertRows(db, 'projectEvent', rows));
    expect(count).toBe(7_000);
  });

  it('is updated: times, JSON, null, and nothing that is undefined', async () => {
    const { alice, organizationId } = tenant;
    const sessionId = await anySession(tenant);
    const key = { organizationId, id: sessionId };
    const report = { summary: 'fine', list: [1, null] };
    await inTransaction(alice, async (db) => {
      const values = { report, endedAt: at, waitReason: null, statusText: undefined };
      expect(await updateRow(db, 'session', key, { ...values, turns: 7 })).toBe(1);
    });
    const stored = await inTransaction(alice, (db) =>
      db.session.findUniqueOrThrow({ where: { id: sessionId } }),
    );
    expect(stored).toMatchObject({ report, endedAt: at, waitReason: null, turns: 7 });
    expect(stored.statusText).not.toBe('');
  });

  it('is inserted or updated by its key', async () => {
    const { alice, organizationId } = tenant;
    const key = { organizationId, harness: 'demo', cliVersion: '9.9.9', model: 'm' };
    await inTransaction(alice, async (db) => {
      for (const windowTokens of [1_000, 2_000]) {
        await upsertRow(db, 'modelWindow', key, { windowTokens, seenAt: at });
      }
    });
    const stored = await inTransaction(alice, (db) =>
      db.modelWindow.findMany({ where: { cliVersion: '9.9.9' } }),
    );
    expect(stored).toEqual([{ ...key, windowTokens: 2_000, seenAt: at }]);
  });

  it('[SAS-1.3] of another organization is neither inserted nor updated', async () => {
    const other = await fillTenant();
    const [id = ''] = IDS;
    const inserted = inTransaction(tenant.alice, (db) =>
      insertRows(db, 'projectEvent', [noticeOf(other, id, 'PUSHED')]),
    );
    await expect(inserted).rejects.toThrow('row-level security');
    const { organizationId } = other;
    const sessionId = await anySession(other);
    const updated = await inTransaction(tenant.alice, (db) =>
      updateRow(db, 'session', { organizationId, id: sessionId }, { turns: 99 }),
    );
    expect(updated).toBe(0);
  });
});

describe('the client of a transaction', () => {
  it('[SAS-1.3] takes no query after its end: the connection may serve another tenant', async () => {
    const pool = tenantPool();
    await runAsTenant(tenant.organizationId, async (connection) => {
      const client = await pool.connect();
      await client.query('BEGIN');
      const { rows } = await client.query('select app.organization_id() as id');
      expect(rows).toEqual([{ id: tenant.organizationId }]);
      await client.query('ROLLBACK');
      await expect(client.query('select 1')).rejects.toThrow('The transaction has ended.');
      await expect(connection().query({ text: 'select 1' })).rejects.toThrow('has ended');
      client.release();
      await expect(client.query('select 1')).rejects.toThrow('The transaction has ended.');
    });
    expect(await summaryOf(tenant)).not.toBe('');
  });
});

describe('a transaction of a sweep', () => {
  it('that loses its connection between two statements fails, and its process continues', async () => {
    const lost = inSystemTransaction('test', async (db) => {
      const [row] = await rowsOf(db, sql<{ pid: number }>`select pg_backend_pid() as pid`);
      await runSql(database.superuserUrl, `select pg_terminate_backend(${row?.pid})`);
      await setTimeout(200);
      return rowsOf(db, sql`select 1 as one`);
    });
    await expect(lost).rejects.toThrow();
    const again = inSystemTransaction('test', (db) => rowsOf(db, sql`select 1 as one`));
    expect(await again).toEqual([{ one: 1 }]);
  });
});
