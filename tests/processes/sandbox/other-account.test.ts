/**
 * A runner that isn't root, in an account that is made for it here: what it can limit, and what happens
 * to commands that become another account. That needs root.
 */
import { execFileSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { brokeredEvent } from '@/lib/protocol/confined-events';
import { bundleProgram, programFile } from '@/scripts/bootstrap/programs.mjs';
import { removeCgroup } from '@/workers/runner/process/cgroup';
import { canConfine } from '../../support/confinement';
import { processesWith } from '../../support/fake-control-plane/processes';

/** One that no test machine uses otherwise. */
const ACCOUNT = 64_123;
/** Where root can make cgroups of version 2; undefined if it can't. */
const CGROUPS = ['/sys/fs/cgroup/unified', '/sys/fs/cgroup'].find((dir) => {
  try {
    accessSync(path.join(dir, 'cgroup.procs'), constants.W_OK);
    return true;
  } catch {
    return false;
  }
});
/** What a command that becomes root runs, so that it is found and ended afterwards. */
const SECONDS = String(700_000 + process.pid);

let programs = '';
let dir = '';

beforeAll(async () => {
  programs = mkdtempSync('/var/tmp/tw-account-');
  chmodSync(programs, 0o755);
  for (const name of ['run-commands', 'run-sandboxes']) {
    await bundleProgram(`tests/processes/sandbox/${name}.ts`, path.join(programs, `${name}.mjs`));
  }
  mkdirSync(path.join(programs, 'dist'));
  copyFileSync(programFile('sandbox-entry'), path.join(programs, 'dist', 'sandbox-entry.mjs'));
  // The account has it become root entirely, as sudo does: then it may not signal it.
  const fakesudo = path.join(programs, 'fakesudo');
  copyFileSync('/usr/bin/setpriv', fakesudo);
  chownSync(fakesudo, 0, ACCOUNT);
  chmodSync(fakesudo, 0o4750);
  const asRoot = `${programs}/fakesudo --reuid=0 --regid=0 --clear-groups`;
  writeFileSync(
    path.join(programs, 'fakectl'),
    `#!/bin/sh\ncase $1 in become) exec ${asRoot} sleep ${SECONDS};; leave) ${asRoot} sleep ${SECONDS} </dev/null >/dev/null 2>&1 & sleep 1; exit 3;; stay) exec sleep ${SECONDS};; esac\n`,
    { mode: 0o755 },
  );
  writeFileSync(path.join(programs, 'fakebroken'), '#!/none/such\n', { mode: 0o755 });
});
afterAll(() => rmSync(programs, { recursive: true }));

beforeEach(() => {
  dir = mkdtempSync('/var/tmp/tw-account-own-');
});
afterEach(() => {
  for (const pid of processesWith(`sleep ${SECONDS}`)) process.kill(pid, 'SIGKILL');
  rmSync(dir, { recursive: true });
});

/** @param cgroup that the program is started in */
function runAs(
  account: number,
  program: string,
  args: readonly string[],
  cgroup?: string,
): unknown {
  chownSync(dir, account, account);
  const join = cgroup ? `echo 0 > ${cgroup}/cgroup.procs;` : '';
  const change = `setpriv --reuid=${account} --regid=${account} --clear-groups`;
  const line = `${join} exec ${change} "$@"`;
  const file = path.join(programs, `${program}.mjs`);
  const all = ['-c', line, 'sh', process.execPath, file, dir, ...args];
  return JSON.parse(
    execFileSync('/bin/sh', all, {
      encoding: 'utf8',
      cwd: '/',
      env: { NODE_ENV: 'test', PATH: process.env.PATH, LOG_LEVEL: 'fatal' },
    }),
  );
}

const ranSchema = z.object({
  isInCgroup: z.boolean(),
  left: z.array(z.number()).nullable(),
  events: z.array(brokeredEvent),
});

function ranCommands(commands: readonly string[][], cgroup?: string) {
  const args = [JSON.stringify(commands), `${programs}:${process.env.PATH}`];
  const ran = ranSchema.parse(runAs(ACCOUNT, 'run-commands', args, cgroup));
  return { ...ran, phases: ran.events.map(({ number, phase, end }) => [number, phase, end]) };
}

/** Runs with a cgroup that the account may use, as systemd gives one to a service. */
function withCgroup(use: (cgroup: string) => void): void {
  const cgroup = path.join(CGROUPS ?? '', `tw-account-${process.pid}`);
  mkdirSync(cgroup);
  try {
    for (const file of ['', 'cgroup.procs', 'cgroup.subtree_control']) {
      chownSync(path.join(cgroup, file), ACCOUNT, ACCOUNT);
    }
    use(cgroup);
  } finally {
    for (const pid of processesWith(`sleep ${SECONDS}`)) process.kill(pid, 'SIGKILL');
    removeCgroup(cgroup);
  }
}

describe.skipIf(process.getuid?.() !== 0)('[BND-4.5] a program that can’t be started', () => {
  const NEVER_EXECUTED = [
    [1, 'started', null],
    [1, 'ended', expect.objectContaining({ exitCode: null, error: expect.any(String) })],
  ];

  it.skipIf(CGROUPS === undefined)('is recorded so where the account has a cgroup', () =>
    withCgroup((cgroup) => {
      const ran = ranCommands([['fakebroken', 'now']], cgroup);
      expect(ran.isInCgroup).toBe(true);
      expect(ran.phases).toEqual(NEVER_EXECUTED);
    }),
  );

  it('is recorded so without one', () => {
    expect(ranCommands([['fakebroken', 'now']]).phases).toEqual(NEVER_EXECUTED);
  });
});

describe.skipIf(process.getuid?.() !== 0)(
  '[BND-2.8] a command that becomes another account',
  () => {
    it.skipIf(CGROUPS === undefined)(
      'is ended with the attempt where the account has a cgroup',
      () =>
        withCgroup((cgroup) => {
          const ran = ranCommands(
            [
              ['fakectl', 'become'],
              ['fakectl', 'leave'],
            ],
            cgroup,
          );
          expect(ran.isInCgroup).toBe(true);
          expect(ran.phases).toEqual([
            [1, 'started', null],
            [2, 'started', null],
            [2, 'ended', expect.objectContaining({ exitCode: 3 })],
            [1, 'ended', expect.objectContaining({ exitCode: null, signal: 'SIGKILL' })],
          ]);
          expect(ran.left).toEqual([]);
          expect(processesWith(`sleep ${SECONDS}`)).toEqual([]);
        }),
    );

    it('is recorded as left running where nothing can end it, and never as ended', () => {
      const ran = ranCommands([
        ['fakectl', 'become'],
        ['fakectl', 'leave'],
        ['fakectl', 'stay'],
      ]);
      expect(ran.isInCgroup).toBe(false);
      expect(ran.phases).toEqual([
        [1, 'started', null],
        [2, 'started', null],
        [2, 'left_running', expect.objectContaining({ exitCode: 3 })],
        [3, 'started', null],
        [3, 'ended', expect.objectContaining({ signal: 'SIGTERM' })],
        [1, 'left_running', null],
      ]);
      expect(processesWith(`sleep ${SECONDS}`)).toHaveLength(2);
    });
  },
);

describe.skipIf(process.getuid?.() !== 0 || !canConfine)('[BND-1.2] without cgroups', () => {
  const limitedSchema = z.object({
    maxProcesses: z.number().nullable(),
    started: z.array(z.number()),
  });

  it('an account other than root limits the processes of each sandbox alone', () => {
    const ran = limitedSchema.parse(runAs(ACCOUNT, 'run-sandboxes', [programs]));
    expect(ran.maxProcesses).toBe(64);
    for (const started of ran.started) {
      // The agent itself has a dozen threads.
      expect(started).toBeGreaterThan(32);
      expect(started).toBeLessThan(64);
    }
  });

  it('root can’t, and says so', () => {
    const ran = limitedSchema.parse(runAs(0, 'run-sandboxes', [programs]));
    expect(ran).toEqual({ maxProcesses: null, started: [300, 300] });
  });
});
