import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { runSql, type TestDatabase } from '@/tests/support/database';

const FOLDER = path.join(checkout, 'prisma', 'migrations');

export interface Migration {
  name: string;
  sql: string;
}

function listMigrations(): Migration[] {
  return readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({
      name,
      sql: readFileSync(path.join(FOLDER, name, 'migration.sql'), 'utf8'),
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The migration with this name, without its time. */
export function migrationNamed(name: string): Migration {
  const found = listMigrations().find((each) => each.name.endsWith(`_${name}`));
  if (!found) throw new Error(`There is no migration ${name}.`);
  return found;
}

/** As Prisma notes what it has done. */
const NOTES = `create table _prisma_migrations (id varchar(36) primary key, checksum varchar(64) not null,
  finished_at timestamptz, migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
  started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`;

export interface OldDatabase {
  ownerUrl: string;
  appUrl: string;
  superuserUrl: string;
  drop(): Promise<void>;
}

/** A database as a checkout left it that had the migrations before this one. */
export async function makeDatabaseBefore(
  test: TestDatabase,
  migration: string,
  name: string,
): Promise<OldDatabase> {
  await runSql(test.superuserUrl, `create database ${name} owner tierwatch_owner`);
  const at = (url: string) => {
    const changed = new URL(url);
    changed.pathname = `/${name}`;
    return changed.href;
  };
  const owner = new pg.Client({ connectionString: at(test.ownerUrl) });
  await owner.connect();
  try {
    await owner.query(NOTES);
    for (const { name: done, sql } of listMigrations()) {
      if (done >= migrationNamed(migration).name) break;
      await owner.query(sql);
      await owner.query(
        `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
         values (gen_random_uuid(), $1, $2, now(), 1)`,
        [createHash('sha256').update(sql).digest('hex'), done],
      );
    }
  } finally {
    await owner.end();
  }
  return {
    ownerUrl: at(test.ownerUrl),
    appUrl: at(test.appUrl),
    superuserUrl: at(test.superuserUrl),
    drop: () => runSql(test.superuserUrl, `drop database if exists ${name} with (force)`),
  };
}

/** The statements of a migration, each with what stands before it. */
export function statementsOf(sql: string): string[] {
  const parts: string[] = [];
  let rest = sql;
  const end = () => /;[ \t]*(\n|$)/.exec(withoutBodies(rest));
  for (let found = end(); found; found = end()) {
    const length = found.index + found[0].length;
    parts.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return parts;
}

/** The same length, with the bodies of functions and the comments blanked out. */
function withoutBodies(sql: string): string {
  return sql.replace(/\$\$[\s\S]*?\$\$|--[^\n]*/g, (text) => ' '.repeat(text.length));
}
