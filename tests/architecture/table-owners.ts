/** Which module writes which table, from the calls of Prisma and Kysely and the SQL in its files. */
import { columnOf } from '@/lib/platform/db/raw';
import { moduleOf } from './modules';
import type { SourceFile } from './source-files';

const WRITES =
  /\.(\w+)\.(?:create|createMany|createManyAndReturn|update|updateMany|upsert|delete|deleteMany)\(/g;
const BUILT_WRITES = /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\('(\w+)/g;
const PAST = /\bdeletePast\([^,]+,\s*'(\w+)'/g;
const SQL_WRITES = /\b(?:insert into|update|delete from)\s+"?(\w+)"?/gi;

/** Table names by model name, of Prisma schema files. */
export function tablesOf(schema: string): Map<string, string> {
  return new Map(
    [...schema.matchAll(/^model (\w+) \{([\s\S]*?)^\}/gm)].map(([, model = '', body = '']) => [
      model,
      /@@map\("(\w+)"\)/.exec(body)?.[1] ?? model,
    ]),
  );
}

/** The files that write each table, by module. */
function writersOf(files: readonly SourceFile[], tables: ReadonlyMap<string, string>) {
  const names = new Set(tables.values());
  const writers = new Map<string, Map<string, Set<string>>>();
  const add = (table: string | undefined, path: string) => {
    if (!table || !names.has(table)) return;
    const modules = writers.get(table) ?? new Map<string, Set<string>>();
    const module = moduleOf(path) ?? path;
    modules.set(module, (modules.get(module) ?? new Set()).add(path));
    writers.set(table, modules);
  };
  for (const { path, text } of files) {
    for (const [, model = ''] of text.matchAll(WRITES)) {
      add(tables.get(`${model.charAt(0).toUpperCase()}${model.slice(1)}`), path);
    }
    for (const [, table] of text.matchAll(SQL_WRITES)) add(table?.toLowerCase(), path);
    for (const writes of [BUILT_WRITES, PAST]) {
      for (const [, table = ''] of text.matchAll(writes)) add(columnOf(table), path);
    }
  }
  return writers;
}

/** A line for each table that several modules write. */
export function findSharedTables(
  files: readonly SourceFile[],
  tables: ReadonlyMap<string, string>,
): string[] {
  return [...writersOf(files, tables)]
    .filter(([, modules]) => modules.size > 1)
    .map(([table, modules]) => {
      const paths = [...modules.values()].flatMap((each) => [...each]).toSorted();
      return `${table} is written by ${paths.join(', ')}`;
    })
    .toSorted();
}
