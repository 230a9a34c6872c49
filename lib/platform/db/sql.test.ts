import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { columnOf, fieldOf } from './raw';
import { anyOf, given, literals, query } from './sql';

describe('the names of tables and columns', () => {
  const schema = readdirSync('prisma/schema')
    .map((name) => readFileSync(`prisma/schema/${name}`, 'utf8'))
    .join('\n');

  it('are those of the schema', () => {
    const fields = [...schema.matchAll(/^ +(\w+) .*@map\("(\w+)"\)/gm)];
    const columns = fields.map(([, field = '', column = '']) => [field, column]);
    expect(columns.length).toBeGreaterThan(300);
    expect(columns.filter(([field = '', column]) => columnOf(field) !== column)).toEqual([]);
    expect(columns.filter(([field, column = '']) => fieldOf(column) !== field)).toEqual([]);
  });

  it('are those of the models', () => {
    const others: Record<string, string> = {
      user_account: 'userAccount',
      session_checkpoints: 'sessionCheckpoints',
    };
    const models = [...schema.matchAll(/^model (\w)(\w+) \{[\s\S]*?@@map\("(\w+)"\)/gm)];
    expect(models).toHaveLength(80);
    for (const [, first = '', rest = '', table = ''] of models) {
      expect(columnOf(others[table] ?? `${first.toLowerCase()}${rest}`)).toBe(table);
    }
  });
});

describe('a statement', () => {
  it('names tables and columns as PostgreSQL does, and leaves raw SQL as it is', () => {
    const { sql: text, parameters } = query
      .selectFrom('serviceCheck as c')
      .select(['c.lastAt as at', sql<number>`count(*)::int`.as('howMany')])
      .where('c.status', 'in', literals('down', 'degraded'))
      .where('c.id', '=', anyOf(['a', 'b']))
      .compile();
    expect(text).toBe(
      `select "c"."last_at" as "at", count(*)::int as "how_many" from "service_check" as "c"` +
        ` where "c"."status" in ('down', 'degraded') and "c"."id" = any($1)`,
    );
    expect(parameters).toEqual([['a', 'b']]);
  });

  it('has the same text for any number of rows', () => {
    const textOf = (rows: { checkId: string; at: Date }[]) =>
      query
        .insertInto('checkChange')
        .columns(['checkId', 'at'])
        .expression((eb) =>
          eb.selectFrom(given('checkChange', rows).as('t')).select(['t.checkId', 't.at']),
        )
        .compile();
    const at = new Date('2026-11-28T00:00:00Z');
    const one = textOf([{ checkId: 'a', at }]);
    expect(one.sql).toBe(textOf([]).sql);
    expect(one.parameters).toEqual(['[{"check_id":"a","at":"2026-11-28T00:00:00.000Z"}]']);
  });
});
