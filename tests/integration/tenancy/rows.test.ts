/** What PostgreSQL alone keeps apart, asked as the application's role without any of our code. */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useTestDatabase } from '@/tests/support/database';
import { type FilledTenant, fillTenant } from './support/filled-tenant';
import {
  connect,
  listTenantReferences,
  listTenantTables,
  probe,
  type TenantTable,
} from './support/tenant-tables';

const database = useTestDatabase();
const NO_RIGHT = '42501';
const NO_PARENT = '23503';

let app: pg.Client;
let tables: TenantTable[];
let a: FilledTenant;
let b: FilledTenant;

beforeAll(async () => {
  a = await fillTenant();
  b = await fillTenant();
  app = await connect(database.appUrl);
  tables = await listTenantTables(app);
});

afterAll(() => app.end());

/** Names of the tables for which the question is answered with yes. */
async function tablesWhere(isSo: (table: TenantTable) => Promise<boolean>): Promise<string[]> {
  const found: string[] = [];
  for (const table of tables) if (await isSo(table)) found.push(table.name);
  return found;
}

describe('rows of two tenants, as tierwatch_app', () => {
  it('both tenants have rows in every tenant table, so that the questions below mean something', async () => {
    expect(tables.length).toBeGreaterThan(25);
    const empty = await tablesWhere(async ({ name }) => {
      const counts = [a, b].map(
        async (tenant) => (await probe(app, tenant.organizationId, `select from ${name}`)).count,
      );
      return (await counts[0]) === 0 || (await counts[1]) === 0;
    });
    expect(empty, 'fill these in tests/integration/tenancy/support/filled-tenant.ts').toEqual([]);
  });

  it('[SAS-1.3] a select without a WHERE shows the own rows only', async () => {
    const leaking = await tablesWhere(async ({ name, owner }) => {
      const { rows } = await probe(
        app,
        a.organizationId,
        `select distinct ${owner} as o from ${name}`,
      );
      return rows.some((row) => row.o !== a.organizationId);
    });
    expect(leaking).toEqual([]);
  });

  it.each([
    ['never set', null],
    ['left over as an empty text', ''],
  ])('[SAS-1.3] with the tenant %s nothing is shown and nothing raised', async (_name, tenant) => {
    const wrong = await tablesWhere(async ({ name }) => {
      const { count, refusal } = await probe(app, tenant, `select from ${name}`);
      return count > 0 || refusal !== null;
    });
    expect(wrong).toEqual([]);
  });

  it('[SAS-1.3] a row for another tenant cannot be inserted', async () => {
    const open = await tablesWhere(async ({ name, owner, columns }) => {
      const copy = `insert into ${name} (${columns}) select ${columns} from (select (jsonb_populate_record(t, '{"${owner}": "${b.organizationId}"}')).* from ${name} t limit 1) copied`;
      return (await probe(app, a.organizationId, copy)).refusal !== NO_RIGHT;
    });
    expect(open).toEqual([]);
  });

  it('[SAS-1.3] a row cannot be moved to another tenant', async () => {
    const open = await tablesWhere(async ({ name, owner }) => {
      const move = `update ${name} set ${owner} = '${b.organizationId}'`;
      return (await probe(app, a.organizationId, move)).refusal !== NO_RIGHT;
    });
    expect(open).toEqual([]);
  });

  it.each([
    ['updated', ({ name, owner }: TenantTable) => `update ${name} set ${owner} = ${owner}`],
    ['deleted', ({ name }: TenantTable) => `delete from ${name}`],
  ])('[SAS-1.3] another tenant’s rows cannot be %s', async (_name, statement) => {
    const open = await tablesWhere(async (table) => {
      const sql = `${statement(table)} where ${table.owner} = '${b.organizationId}'`;
      const { count, refusal } = await probe(app, a.organizationId, sql);
      return count > 0 || (refusal !== null && refusal !== NO_RIGHT);
    });
    expect(open).toEqual([]);
  });

  it('[SAS-1.3] no table can be emptied as a whole', async () => {
    const open = await tablesWhere(
      async ({ name }) =>
        (await probe(app, a.organizationId, `truncate ${name} cascade`)).refusal !== NO_RIGHT,
    );
    expect(open).toEqual([]);
  });

  it('[SAS-1.3] a child under another tenant’s parent is refused, by every reference', async () => {
    const references = await listTenantReferences(app);
    expect(references.length).toBeGreaterThan(25);
    const open: string[] = [];
    for (const { name, child, parent, columns, parentColumns, written } of references) {
      if (!columns.includes('organization_id')) {
        open.push(`${name} does not carry the organization`);
        continue;
      }
      const own = columns.indexOf('organization_id');
      const foreign = await probe(app, b.organizationId, `select * from ${parent} limit 1`);
      const values = columns
        .map((column, index) => [column, foreign.rows[0]?.[parentColumns[index] ?? '']] as const)
        .filter((_, index) => index !== own);
      // A row that refers to such a parent already: another one may have to refer to something else.
      const pulled = JSON.stringify(Object.fromEntries(values));
      const list = written.map((column) => `"${column}"`);
      // One that refers to something already, where there is one: others may not be allowed to.
      const one = `order by ${values.map(([column]) => `${column} is null`).join(', ')} limit 1`;
      const insert = `insert into ${child} (${list.join(', ')}) select ${list.map((column) => `(r).${column}`).join(', ')} from (select jsonb_populate_record(t, '${pulled}') as r from ${child} t ${one}) copy`;
      const update = `update ${child} set ${values.map(([column, value]) => `${column} = '${value}'`).join(', ')} where ctid = (select ctid from ${child} ${one})`;
      const answers = [
        (await probe(app, a.organizationId, update)).refusal,
        (await probe(app, a.organizationId, insert)).refusal,
      ];
      // A version is never updated, so there the copy has to answer.
      const isRefused =
        answers[0] === NO_RIGHT ? answers[1] === NO_PARENT : answers[0] === NO_PARENT;
      if (!isRefused) open.push(`${name}: ${answers.join(', ')}`);
    }
    expect(open).toEqual([]);
  });
});
