import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import pg from 'pg';

export interface DatabaseLogin {
  name: string;
  isSuperuser: boolean;
  bypassesRowSecurity: boolean;
  ownedTables: number;
}

/** Local ports of a process's own TCP connections (Linux). */
function localPorts(pid: number): Set<number> {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    }),
  );
  const ports = new Set<number>();
  for (const line of readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1)) {
    const [, local = '', , , , , , , , inode = ''] = line.trim().split(/\s+/);
    if (sockets.has(inode)) ports.add(Number.parseInt(local.split(':')[1] ?? '', 16));
  }
  return ports;
}

/** Who a running process is to PostgreSQL: the logins behind the connections that it holds now. */
export async function loginsOf(pid: number, superuserUrl: string): Promise<DatabaseLogin[]> {
  const ports = localPorts(pid);
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const { rows } = await client.query<DatabaseLogin>(
      `select distinct r.rolname as name, r.rolsuper as "isSuperuser",
         r.rolbypassrls as "bypassesRowSecurity",
         (select count(*)::int from pg_class c where c.relowner = r.oid) as "ownedTables"
       from pg_stat_activity a join pg_roles r on r.oid = a.usesysid
       where a.client_port = any($1)`,
      [[...ports]],
    );
    return rows;
  } finally {
    await client.end();
  }
}

/** Runs one statement with a login of the product. */
export async function askAs(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
