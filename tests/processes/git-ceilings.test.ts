import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { gitCeilings } from '@/workers/runner/process/limits';

it('[HLD-1.2] git finds no repository above, and one in the folder itself', () => {
  const repository = mkdtempSync(path.join(tmpdir(), 'tw-ceilings-'));
  const work = path.join(repository, 'runner', 'work');
  mkdirSync(work, { recursive: true });
  const git = (cwd: string, ...args: string[]) => {
    const env = { ...process.env, HOME: cwd, ...gitCeilings(work) };
    return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: 'pipe' }).trim();
  };
  try {
    git(repository, 'init', '-q');
    for (const folder of [work, path.dirname(work)]) {
      expect(() => git(folder, 'rev-parse', '--show-toplevel')).toThrow(/not a git repository/);
    }
    git(work, 'init', '-q');
    expect(git(work, 'rev-parse', '--show-toplevel')).toBe(work);
  } finally {
    rmSync(repository, { recursive: true });
  }
});
