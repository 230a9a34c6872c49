import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import pg from 'pg';

export interface DatabaseLogin {
  name: string;
  isSuperuser: boolean;
  bypassesRowSecurity: boolean;
  ownedTables: number;
}

/**
 * Local ports of a process's own TCP connections to a port (Linux). Another process may have the same
 * local port, for a connection to another one.
 */
function localPorts(pid: number, remotePort: number): Set<number> {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    }),
  );
  const portOf = (address: string) => Number.parseInt(address.split(':')[1] ?? '', 16);
  const ports = new Set<number>();
  for (const line of readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1)) {
    const [, local = '', remote = '', , , , , , , inode = ''] = line.trim().split(/\s+/);
    if (sockets.has(inode) && portOf(remote) === remotePort) ports.add(portOf(local));
  }
  return ports;
}

/** Who a running process is to PostgreSQL: the logins behind the connections that it holds now. */
export async function loginsOf(pid: number, superuserUrl: string): Promise<DatabaseLogin[]> {
  const ports = localPorts(pid, Number(new URL(superuserUrl).port));
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
