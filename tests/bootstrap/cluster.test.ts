import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { holdDataFolder } from '@/scripts/bootstrap/data-folder.mjs';
import { startCluster } from '@/scripts/bootstrap/postgres/cluster.mjs';
import { findLeftServer } from '@/scripts/bootstrap/postgres/left-server.mjs';
import { isAlive } from '@/scripts/bootstrap/process-identity.mjs';
import { eventually } from './eventually';

const isRoot = process.getuid?.() === 0;
const folders: string[] = [];

function makeFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-cluster-'));
  // As an ordinary checkout: others may enter.
  chmodSync(folder, 0o755);
  folders.push(folder);
  return folder;
}

/** With the modes of its folders, as operators copy it. */
function copyFolder(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
}

/** A data folder with a cluster that was made and stopped; making one takes a second of the processor. */
const made = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-cluster-'));

beforeAll(async () => {
  chmodSync(made, 0o755);
  await withCluster(made, async () => {});
});
afterAll(() => rmSync(made, { recursive: true, force: true }));

function copyMade(): string {
  const dataDir = path.join(makeFolder(), 'data');
  copyFolder(made, dataDir);
  return dataDir;
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function withCluster<Result>(
  dataDir: string,
  work: (cluster: Awaited<ReturnType<typeof startCluster>>) => Promise<Result>,
): Promise<Result> {
  const folder = holdDataFolder(dataDir);
  let cluster: Awaited<ReturnType<typeof startCluster>> | undefined;
  try {
    cluster = await startCluster(folder, { isThrowaway: true });
    return await work(cluster);
  } finally {
    await cluster?.stop();
    folder.release();
  }
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Another process that holds the cluster, and the server it started. */
async function startElsewhere(dataDir: string) {
  const program = path.join(import.meta.dirname, 'cluster-process.mjs');
  const child = spawn(process.execPath, [program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const server = findLeftServer(path.join(dataDir, 'postgres', 'data'));
  if (!server) throw new Error('the other process has no server');
  return { child, serverPid: server.pid, ...(JSON.parse(line) as { isReused: boolean }) };
}

describe('[SAS-7.1] the embedded PostgreSQL', () => {
  it('is owned by a role that is no superuser, and keeps what was written', async () => {
    const dataDir = copyMade();
    await withCluster(dataDir, async ({ ownerUrl }) => {
      const [me] = await ask(
        ownerUrl,
        'select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user',
      );
      expect(me).toEqual({
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: true,
        rolcreatedb: false,
      });
      await ask(ownerUrl, 'create table kept as select 42 as answer');
    });
    const rows = await withCluster(dataDir, ({ ownerUrl }) =>
      ask(ownerUrl, 'select answer from kept'),
    );
    expect(rows).toEqual([{ answer: 42 }]);
    expect(findLeftServer(path.join(dataDir, 'postgres', 'data'))).toBeNull();
  });

  it('keeps its passwords from other accounts', async () => {
    const dataDir = copyMade();
    await withCluster(dataDir, async () => {
      const { mode } = statSync(path.join(dataDir, 'postgres', 'connection.json'));
      expect(mode & 0o077).toBe(0);
    });
  });

  it('is stopped when the process that started it is killed', async () => {
    const dataDir = copyMade();
    const { child, serverPid } = await startElsewhere(dataDir);
    child.kill('SIGKILL');
    await eventually('the server ends', () => !isAlive(serverPid));
    await withCluster(dataDir, async ({ ownerUrl, isReused }) => {
      expect(isReused).toBe(false);
      expect(await ask(ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    });
  });

  it('is taken over when it was left running, and stopped in the end', async () => {
    const dataDir = copyMade();
    const { child, serverPid } = await startElsewhere(dataDir);
    // The guard is a child of the process; without it the server lives on.
    process.kill(await findGuard(serverPid), 'SIGKILL');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isAlive(serverPid)).toBe(true);
    await withCluster(dataDir, async ({ ownerUrl, isReused }) => {
      expect(isReused).toBe(true);
      expect(await ask(ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    });
    expect(isAlive(serverPid)).toBe(false);
  });

  it('starts although its pid file names a living stranger', async () => {
    const dataDir = copyMade();
    const file = path.join(dataDir, 'postgres', 'data', 'postmaster.pid');
    writeFileSync(file, `${process.pid}\n${path.dirname(file)}\n1\n1\n\n127.0.0.1\n`);
    const rows = await withCluster(dataDir, ({ ownerUrl }) => ask(ownerUrl, 'select 1 as one'));
    expect(rows).toEqual([{ one: 1 }]);
  });

  it('refuses a second process on the same data folder, and says which one holds it', async () => {
    const dataDir = copyMade();
    await withCluster(dataDir, async () => {
      expect(() => holdDataFolder(dataDir)).toThrow(
        `Another Tierwatch (process ${process.pid}) is using the data folder ${dataDir}`,
      );
    });
  });

  it('stays inside a data folder that other accounts cannot enter', async () => {
    const { dataDir, data } = makeClosedFolder();
    const counted = () =>
      withCluster(dataDir, async ({ ownerUrl }) => {
        await ask(ownerUrl, 'create table if not exists note (id int)');
        await ask(ownerUrl, 'insert into note values (1)');
        return await ask(ownerUrl, 'select count(*)::int from note');
      });
    expect(await counted()).toEqual([{ count: 1 }]);
    expect(existsSync(path.join(data, 'PG_VERSION'))).toBe(true);
    expect(await counted()).toEqual([{ count: 2 }]);
    removePrograms(dataDir);
  });

  it('brings home a cluster that an older start had put below /var/tmp', async () => {
    const { dataDir, data } = makeClosedFolder();
    copyFolder(made, dataDir);
    await withCluster(dataDir, ({ ownerUrl }) => ask(ownerUrl, 'create table note (id int)'));
    const { id } = JSON.parse(readFileSync(path.join(data, '..', 'connection.json'), 'utf8'));
    const away = path.join(programsOf(dataDir), `data-${id}`);
    mkdirSync(path.dirname(away), { recursive: true });
    copyFolder(data, away);
    if (isRoot) {
      await expect(withCluster(dataDir, async () => {})).rejects.toThrow(
        `There are two databases for this data folder: ${data} and ${away}.`,
      );
      rmSync(data, { recursive: true });
    }
    const rows = await withCluster(dataDir, ({ ownerUrl }) => ask(ownerUrl, 'select * from note'));
    expect(rows).toEqual([]);
    if (isRoot) expect(existsSync(away)).toBe(false);
    removePrograms(dataDir);
  });

  it('starts from a copy of the data folder, also under another account', async () => {
    const dataDir = copyMade();
    await withCluster(dataDir, ({ ownerUrl }) => ask(ownerUrl, 'create table note (id int)'));
    const copy = path.join(makeFolder(), 'copy');
    copyFolder(dataDir, copy);
    const rows = await withCluster(copy, ({ ownerUrl }) => ask(ownerUrl, 'select * from note'));
    expect(rows).toEqual([]);
  });

  it('is not written to by the initdb of a start that was killed', async () => {
    const dataDir = makeFolder();
    const staging = path.join(dataDir, 'postgres', 'data.new');
    mkdirSync(staging, { recursive: true });
    const writes = 'while :; do mkdir -p base/1; for n in 1 2 3 4 5; do : > base/1/$n; done; done';
    const left = spawn('sh', ['-c', writes], { cwd: staging, stdio: 'ignore' });
    const ended = once(left, 'exit');
    const rows = await withCluster(dataDir, ({ ownerUrl }) => ask(ownerUrl, 'select 1 as one'));
    expect(rows).toEqual([{ one: 1 }]);
    await ended;
  });

  it('is never replaced by an empty one: its loss is reported', async () => {
    const dataDir = copyMade();
    const data = path.join(dataDir, 'postgres', 'data');
    rmSync(data, { recursive: true });
    await expect(withCluster(dataDir, async () => {})).rejects.toThrow(
      'The database of this data folder is missing',
    );
    expect(existsSync(data)).toBe(false);
    rmSync(path.join(data, '..', 'connection.json'));
    await withCluster(dataDir, async () => {});
    expect(existsSync(data)).toBe(true);
  });
});

function makeClosedFolder() {
  const closed = makeFolder();
  chmodSync(closed, 0o700);
  const dataDir = path.join(closed, 'data');
  return { dataDir, data: path.join(dataDir, 'postgres', 'data') };
}

/** Where PostgreSQL's programs are copied for a checkout that other accounts cannot enter. */
function programsOf(dataDir: string) {
  const key = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16);
  return path.join('/var/tmp', `tierwatch-${key}`);
}

function removePrograms(dataDir: string) {
  rmSync(programsOf(dataDir), { recursive: true, force: true });
}

async function findGuard(serverPid: number): Promise<number> {
  const ps = spawn('ps', ['-eo', 'pid=,args='], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = (await ps.stdout.setEncoding('utf8').toArray()).join('').split('\n');
  const line = lines.find((entry) => entry.includes(`tierwatch-guard ${serverPid} `));
  return Number(line?.trim().split(' ')[0]);
}
