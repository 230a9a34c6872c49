import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { decideCommand } from '@/lib/commands/decide';
import { parseCommandRule } from '@/lib/commands/rule';
import { NO_TARGETS } from '@/lib/commands/service-values';
import { INSIDE } from '../sandbox/inside';
import { type PrepareOptions, prepareCommand } from './prepared-command';

const RULE = 'Bash(kubectl rollout restart {word})';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'prepared-')));
  writeFileSync(path.join(dir, 'kubectl'), '');
  chmodSync(path.join(dir, 'kubectl'), 0o755);
});
afterEach(() => rmSync(dir, { recursive: true }));

function prepare(changes: Partial<PrepareOptions>, isAskFirst = false) {
  const parsed = parseCommandRule(RULE);
  if (!parsed.ok) throw new Error(parsed.problem);
  const rules = { allowed: [parsed.rule], denied: [], askFirst: isAskFirst ? [parsed.rule] : [] };
  const argv = ['kubectl', 'rollout', 'restart', 'web'];
  const known = { targets: NO_TARGETS, host: [], url: [] };
  const place = { cwd: INSIDE.workDir, workDir: INSIDE.workDir, realPath: (file: string) => file };
  const decision = decideCommand(rules, argv, { known, place });
  if (decision.verdict !== 'allowed') throw new Error(decision.message);
  const options: PrepareOptions = {
    workDir: dir,
    env: { PATH: dir },
    secretsOf: () => ({ env: {}, missing: [] }),
    redactor: { text: (text) => text.replaceAll('hunter2', '[redacted]'), hasOpenEnd: () => false },
    digestKey: Buffer.alloc(32),
    reason: () => 'web doesn’t answer hunter2',
    ...changes,
  };
  return prepareCommand(options, decision, INSIDE.workDir, path.join(dir, 'command'));
}

it('finds the program, and an empty folder to run it in', async () => {
  const prepared = await prepare({});
  expect(prepared).toMatchObject({
    file: path.join(dir, 'kubectl'),
    args: ['rollout', 'restart', 'web'],
  });
  if ('code' in prepared) throw new Error(prepared.message);
  expect(readdirSync(prepared.cwd)).toEqual([]);
  expect(path.dirname(prepared.cwd)).toBe(os.tmpdir());
  rmSync(prepared.cwd, { recursive: true });
});

it('[HLD-1.2] finds no repository, and nothing of the runner’s, in a folder above', async () => {
  mkdirSync(path.join(dir, '.git'));
  const prepared = await prepare({ env: { PATH: dir, GIT_CEILING_DIRECTORIES: '' } });
  if ('code' in prepared) throw new Error(prepared.message);
  expect(prepared.cwd.startsWith(dir)).toBe(false);
  expect(prepared.env.GIT_CEILING_DIRECTORIES).toBe(`${os.tmpdir()}:/`);
  rmSync(prepared.cwd, { recursive: true });
});

it('[BND-2.6] adds the secrets of the rule, which replace nothing that the broker sets', async () => {
  const secretsOf = () => ({ env: { TOKEN: 'x', PATH: '/evil' }, missing: [] });
  expect(await prepare({ secretsOf })).toMatchObject({ env: { TOKEN: 'x', PATH: dir } });
});

it.each<[string, Partial<PrepareOptions>, object]>([
  ['not_installed', { env: { PATH: '/none' } }, { code: 'not_installed', exitCode: 127 }],
  [
    'secret_missing',
    { secretsOf: () => ({ env: {}, missing: ['TOKEN'] }) },
    { code: 'secret_missing', message: expect.stringContaining('TOKEN') },
  ],
])('says why it doesn’t run: %s', async (_code, changes, obstacle) => {
  expect(await prepare(changes)).toMatchObject(obstacle);
});

it('[BND-4.1] binds an approval to exact arguments, folder and key, with a redacted reason', async () => {
  const first = await prepare({}, true);
  const other = await prepare({ digestKey: Buffer.alloc(32, 1) }, true);
  if ('code' in first || 'code' in other) throw new Error('Both are prepared.');
  expect(first.approval).toMatchObject({
    rule: RULE,
    cwd: INSIDE.workDir,
    files: [],
    reason: 'web doesn’t answer [redacted]',
  });
  expect(first.approval.digest).not.toBe(other.approval.digest);
});
