import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
let folder = '';

afterEach(() => rm(folder, { recursive: true, force: true }));

it('[FLT-5.1] a runner on a host with no program but Node looks for its cgroup, and ends nothing of its own process group', async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tw-cgroup-'));
  const code = `
    const { makeRunnerCgroup } = await import('./workers/runner/process/runner-cgroup.ts');
    makeRunnerCgroup(${JSON.stringify(folder)}, { processes: 100, memoryMb: null })?.remove();`;
  // In a group of its own: it would end this one, too.
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
    cwd: root,
    env: { NODE_ENV: 'test', PATH: '/none' },
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await once(child, 'exit')).toEqual([0, null]);
});
