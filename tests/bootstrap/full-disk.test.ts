/** A real disk that is full under the data folder: its database, its logs, and a start on it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { findFreePort } from '@/scripts/bootstrap/ports.mjs';
import { mountSmallDisk, type SmallDisk } from '@/tests/support/small-disk';
import { eventually } from './eventually';

const WITHIN_MS = 120_000;
const disks: SmallDisk[] = [];
const children: ChildProcess[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  for (const disk of disks.splice(0)) await disk.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function makeDisk(options: string): Promise<SmallDisk> {
  const disk = await mountSmallDisk(options);
  disks.push(disk);
  return disk;
}

function makeFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-problem-'));
  folders.push(folder);
  return folder;
}

function run([file, args]: [string, string[]], env: Record<string, string> = {}) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(file, args, {
    env: { NODE_ENV: 'production', PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, ended, output: () => text };
}

/** Starts on a data folder that no start can use, and returns what it says. */
async function failedStart(dataDir: string, disk?: SmallDisk): Promise<string> {
  const plain: [string, string[]] = [process.execPath, ['scripts/start.mjs']];
  const started = run(disk ? disk.command(...plain) : plain, {
    TIERWATCH_DATA_DIR: dataDir,
    PORT: String(await findFreePort()),
  });
  expect(await started.ended).toBe(1);
  expect(started.output()).not.toMatch(/^\s+at /m);
  return started.output();
}

describe('a start on a data folder that can’t be used', () => {
  it('[FLT-3.3] says that the disk is full, and leaves nothing that stops a later one', async () => {
    const disk = await makeDisk('size=1m');
    disk.fill();
    expect(await failedStart(path.join(disk.folder, 'data'), disk)).toMatch(
      /The disk is full: \S+ can’t be written\. Free some space on it, then start again\./,
    );
    disk.free();
    const left = readdirSync(disk.outside, { recursive: true, encoding: 'utf8' });
    expect(left).toEqual(['data']);
  });

  it('[FLT-3.3] says that its file system is read-only', async () => {
    const disk = await makeDisk('size=1m,ro');
    expect(await failedStart(path.join(disk.folder, 'data'), disk)).toMatch(
      /can’t be used by this account: its file system is read-only/,
    );
  });

  it('[FLT-3.3] says that a file is in its place', async () => {
    const file = path.join(makeFolder(), 'data');
    writeFileSync(file, '');
    const problem = 'can’t be a folder: a file is in its place';
    expect(await failedStart(file)).toContain(`${file} ${problem}`);
    expect(await failedStart(path.join(file, 'below'))).toContain(problem);
  });

  it('[FLT-3.3] says that what it remembers of its database was cut, and changes nothing', async () => {
    const dataDir = makeFolder();
    const file = path.join(dataDir, 'postgres', 'connection.json');
    mkdirSync(path.dirname(file));
    for (const content of ['', '{ "id": "ab12", "superus', '{"id":"ab12"}']) {
      writeFileSync(file, content);
      expect(await failedStart(dataDir)).toContain(`${file} is damaged.`);
      expect(readFileSync(file, 'utf8')).toBe(content);
    }
  });
});

/** Says a line each time it is started and again and again, as the processes of a start do. */
const TALKER = `console.log('talker ready ' + process.pid);
setInterval(() => console.log('still here'), 20);`;

it('[FLT-3.3] a full disk under the data folder: the database keeps what was saved, the supervisor survives, and both work again once there is room', async () => {
  const disk = await makeDisk('size=256m');
  const dataDir = path.join(disk.folder, 'data');
  const outside = path.join(disk.outside, 'data');
  const program = path.join(makeFolder(), 'talker.mjs');
  writeFileSync(program, TALKER);
  const script = path.join(import.meta.dirname, 'full-disk-process.mjs');
  const supervisor = run(disk.command(process.execPath, [script, dataDir, program]));
  const address = () => /^postgresql:\S+/m.exec(supervisor.output())?.[0];
  await eventually('it runs', () => address() !== undefined, WITHIN_MS);
  const url = address() ?? '';

  async function ask<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query<Row>(sql, values)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  await ask('create table note (id int primary key, text text not null)');
  let saved = 0;
  const save = async () => {
    const text = 'x'.repeat(500_000);
    await ask('insert into note values ($1, $2) on conflict do nothing', [
      saved + 1,
      `${saved + 1} ${text}`,
    ]);
    saved += 1;
  };
  await save();
  disk.fill();
  let refusal = '';
  await eventually(
    'PostgreSQL takes nothing more',
    async () => {
      await save().catch((error: Error) => {
        refusal = error.message;
      });
      return refusal !== '';
    },
    WITHIN_MS,
  );
  expect(refusal).toMatch(/No space left|Connection terminated|recovery mode|ECONNREFUSED/);

  // A process that ends meanwhile is started again, and its record is never half a one.
  const talkers = () => JSON.parse(readFileSync(path.join(outside, 'processes.json'), 'utf8'));
  const [{ pid }] = talkers();
  process.kill(pid, 'SIGKILL');
  await eventually(
    'the supervisor reports it',
    () => supervisor.output().includes('exited unexpectedly (SIGKILL)'),
    WITHIN_MS,
  );
  expect(() => talkers()).not.toThrow();
  await eventually(
    'the console says that a log can’t be written',
    () => /The log \S+talker\.log can't be written/.test(supervisor.output()),
    WITHIN_MS,
  );
  expect(supervisor.child.exitCode).toBeNull();

  disk.free();
  await eventually(
    'PostgreSQL takes writes again',
    () =>
      save().then(
        () => true,
        () => false,
      ),
    WITHIN_MS,
  );
  const rows = await ask<{ id: number; size: number }>(
    'select id, length(text) as size from note order by id',
  );
  // A write whose answer was lost may be there as well.
  expect(rows.map(({ id }) => id)).toEqual(rows.map((_, index) => index + 1));
  expect(rows.length).toBeGreaterThanOrEqual(saved);
  expect(rows.every(({ size }) => size > 500_000)).toBe(true);
  await eventually(
    'the log is written again',
    () => /The log \S+talker\.log is written again/.test(supervisor.output()),
    WITHIN_MS,
  );
  expect(existsSync(path.join(outside, 'processes.json.new'))).toBe(false);
});
