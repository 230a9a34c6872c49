import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RunnerProcess } from '../../support/system/runner';
import type { System } from '../../support/system/system';
import { asSuperuser } from './superuser';

/** Tables that hold a text anywhere in a row, in whatever column. */
export function tablesWith(system: System, text: string): Promise<string[]> {
  return asSuperuser(system, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const found: string[] = [];
    for (const { name } of rows) {
      const sql = `select exists (select from ${name} t where strpos(t::text, $1) > 0) as "isThere"`;
      const answer = await client.query<{ isThere: boolean }>(sql, [text]);
      if (answer.rows[0]?.isThere) found.push(name);
    }
    return found;
  });
}

/** What a runner keeps to be sent, and what it set aside. The agent's own folders are not its. */
export function spooledText(runner: RunnerProcess): string {
  return ['spool', 'refused']
    .flatMap((name) => filesBelow(path.join(runner.dir, name)))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

function filesBelow(dir: string): string[] {
  try {
    return readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}
