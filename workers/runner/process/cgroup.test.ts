import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openCgroup } from './cgroup';

const dir = mkdtempSync(path.join(tmpdir(), 'tw-cgroup-'));
afterEach(() => rmSync(dir, { recursive: true }));

it('[BND-2.8] lists the processes of a cgroup and those below it, and no 0, which stands for one of another namespace', () => {
  mkdirSync(path.join(dir, 'agent'));
  writeFileSync(path.join(dir, 'cgroup.procs'), '0\n12\n');
  writeFileSync(path.join(dir, 'agent', 'cgroup.procs'), '0\n0\n14\n');
  expect(openCgroup(dir).pids()).toEqual([12, 14]);
});
