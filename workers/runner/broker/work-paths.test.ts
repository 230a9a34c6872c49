import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { realPathOutside } from './work-paths';

let workDir: string;
beforeEach(() => {
  workDir = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'work-paths-')));
  mkdirSync(path.join(workDir, 'deploy'));
  writeFileSync(path.join(workDir, 'deploy/web.yaml'), '');
  symlinkSync('/etc', path.join(workDir, 'leak'));
});
afterEach(() => rmSync(workDir, { recursive: true }));

it.each([
  ['/project', ''],
  ['/project/deploy/web.yaml', '/deploy/web.yaml'],
  ['/project/deploy/new.yaml', '/deploy/new.yaml'],
])('%s is in the work folder on the host', (inside, below) => {
  expect(realPathOutside(workDir, inside)).toBe(workDir + below);
});

it.each([
  ['/project/leak/hostname', '/etc/hostname'],
  ['/project/leak/new', '/etc/new'],
  ['/projects', '/projects'],
  ['/project/none/new', null],
])('%s is not: %s', (inside, outside) => {
  expect(realPathOutside(workDir, inside)).toBe(outside);
});
