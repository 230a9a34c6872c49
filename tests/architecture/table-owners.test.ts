import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importsOf, sourceFiles } from './source-files';
import { findSharedTables, tablesOf } from './table-owners';

const tables = tablesOf(
  readdirSync('prisma/schema')
    .map((name) => readFileSync(`prisma/schema/${name}`, 'utf8'))
    .join('\n'),
);
const ADVICE =
  'Move the write into a *-rows.ts of the module that owns the table, or publish a domain event.';

describe('[ENG-1.1] every table', () => {
  it('is known by its name', () => {
    expect(tables.get('AuditLog')).toBe('audit_log');
    expect(tables.size).toBeGreaterThan(40);
  });

  it('is written by one module', () => {
    const found = findSharedTables(sourceFiles('lib', 'app', 'workers', 'cli'), tables);
    expect(found, `${ADVICE}\n${found.join('\n')}`).toEqual([]);
  });

  it.each([
    [
      'through Prisma',
      'await db.runner.updateMany({ where: { id }, data: { slots: 1 } });',
      'await db.runner.create({ data });',
      'runner',
    ],
    [
      'through SQL',
      'Prisma.sql`update project p set next_run_at = null`',
      'await db.project.create({ data })',
      'project',
    ],
    [
      'through SQL of a CTE',
      'Prisma.sql`with gone as (delete from webhook_delivery returning id) select 1`',
      'Prisma.sql`insert into webhook_delivery (id) values (1)`',
      'webhook_delivery',
    ],
    [
      'through Kysely',
      "query.updateTable('webhookDelivery as d').set({ status })",
      "deletePast('retention of deliveries', 'webhookDelivery', isPast, limit)",
      'webhook_delivery',
    ],
  ])('that two modules write %s is found', (_, one, other, table) => {
    const planted = [
      ['lib/engine/data.ts', one],
      ['lib/fleet/data.ts', other],
    ].map(([path = '', text = '']) => ({ path, text, imports: importsOf(path, text) }));
    expect(findSharedTables(planted, tables)).toEqual([
      `${table} is written by lib/engine/data.ts, lib/fleet/data.ts`,
    ]);
  });
});
