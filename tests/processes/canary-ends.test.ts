/** A canary whose runner ends while its agent works: neither the agent nor its files stay. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { programFile } from '@/scripts/bootstrap/programs.mjs';
import { eventually } from '../bootstrap/eventually';
import { processesWith } from '../support/fake-control-plane/processes';

let dir: string;
let runners: ChildProcess[];
/** In the command line of everything that the agent starts. */
let mark: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'tw-canary-ends-'));
  runners = [];
  mark = `sleep ${randomInt(1_000_000, 9_999_999)}`;
});
afterEach(async () => {
  await Promise.all(runners.map((runner) => end(runner, 'SIGKILL')));
  for (const pid of processesWith(mark)) process.kill(pid, 'SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

/** An agent that works for longer than any test, also on what it has put in the background. */
function writeAgent(): string {
  const file = path.join(dir, 'claude');
  const script = `#!/bin/sh
case "$*" in
  --version) echo '2.1.197 (Claude Code)'; exit ;;
  --help) echo '--resume --fork-session --session-id'; exit ;;
esac
setsid ${mark}.1 &
${mark}.2
`;
  writeFileSync(file, script);
  chmodSync(file, 0o755);
  return file;
}

/** A folder without a program that makes sandboxes: one kills its agent itself when the runner dies. */
function pathWithoutSandbox(): string {
  const bin = path.join(dir, 'bin');
  mkdirSync(bin, { recursive: true });
  for (const program of ['setsid', 'sleep']) {
    rmSync(path.join(bin, program), { force: true });
    symlinkSync(path.join('/usr/bin', program), path.join(bin, program));
  }
  return bin;
}

/** With an address at which nothing answers: a canary needs no control plane. */
function startRunner(): ChildProcess {
  const runner = spawn(process.execPath, [programFile('runner')], {
    env: {
      NODE_ENV: 'production',
      PATH: pathWithoutSandbox(),
      TIERWATCH_URL: 'http://127.0.0.1:9',
      TIERWATCH_RUNNER_DIR: path.join(dir, 'runner'),
      TIERWATCH_RUNNER_KEY: 'twr_0000000000000000000000000000000000000000000',
      TIERWATCH_RUNNER_GRACE_SECONDS: '0',
      ANTHROPIC_API_KEY: 'key-of-the-runner',
      CLAUDE_BIN: writeAgent(),
    },
    stdio: 'ignore',
  });
  runners.push(runner);
  return runner;
}

async function agentWorks(): Promise<number[]> {
  await eventually('the agent of the canary works', () => processesWith(mark).length >= 2, 30_000);
  return processesWith(mark);
}

async function end(runner: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (runner.exitCode !== null || runner.signalCode !== null) return;
  const ended = once(runner, 'exit');
  runner.kill(signal);
  await ended;
}

it('[BND-5.3] ends with its runner', async () => {
  const runner = startRunner();
  await agentWorks();
  await end(runner, 'SIGTERM');
  expect(processesWith(mark)).toEqual([]);
  expect(existsSync(path.join(dir, 'runner', 'canary'))).toBe(false);
});

it('[BND-5.3] is ended by the next process of a runner that was killed', async () => {
  const killed = startRunner();
  await agentWorks();
  await end(killed, 'SIGKILL');
  const left = processesWith(mark);
  expect(left.length).toBeGreaterThanOrEqual(2);
  startRunner();
  await eventually('what it had left has ended', () => {
    const alive = processesWith(mark);
    return alive.length >= 2 && left.every((pid) => !alive.includes(pid));
  });
});
