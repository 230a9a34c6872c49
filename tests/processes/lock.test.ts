import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockRunnerDir } from '@/workers/runner/lock';
import { type HostProcess, readProcess } from '@/workers/runner/process/process-table';
import { eventually } from '../bootstrap/eventually';

let dir: string;
let parent: ChildProcess | null = null;

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'tw-lock-'));
});
afterEach(() => {
  parent?.kill('SIGKILL');
  parent = null;
  rmSync(dir, { recursive: true, force: true });
});

const heldBy = ({ pid, startedAt }: HostProcess) =>
  writeFileSync(path.join(dir, 'runner.lock'), `${pid} ${startedAt}`);

/** A child whose parent never takes note of its end. */
async function childOf(command: string): Promise<() => HostProcess | null> {
  parent = spawn('sh', ['-c', `(${command}) & echo $!; exec sleep 60`], { stdio: 'pipe' });
  const [said] = await once(parent.stdout as NodeJS.ReadableStream, 'data');
  return () => readProcess(Number(String(said)));
}

it('a folder is held by a process that runs', async () => {
  const child = await childOf('sleep 60');
  const holder = child();
  if (!holder) throw new Error('It has ended.');
  heldBy(holder);
  expect(() => lockRunnerDir(dir)).toThrow('Another runner is using');
  process.kill(holder.pid, 'SIGKILL');
});

it('[FLT-2.3] a folder is not held by a process that was killed and not collected yet', async () => {
  // It ends only once its parent has become the sleep: until then the shell might collect it.
  const child = await childOf('until grep -q sleep /proc/$$/comm; do :; done');
  await eventually('it has ended', () => child()?.isZombie === true);
  const holder = child();
  if (!holder) throw new Error('It was collected.');
  heldBy(holder);
  lockRunnerDir(dir)();
});

it('a folder is not held by another process with the same number', () => {
  const own = readProcess(process.pid);
  if (!own) throw new Error('This process is not in the table.');
  heldBy({ ...own, startedAt: '1' });
  lockRunnerDir(dir)();
});
