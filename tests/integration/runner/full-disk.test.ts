/** A real disk that is full under a runner's folder, while it works and while it starts. */
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { programFile } from '@/scripts/bootstrap/programs.mjs';
import { agentScript } from '../../support/fake-control-plane/agent-script';
import { attemptSpec } from '../../support/fake-control-plane/attempt-spec';
import {
  type FakeControlPlane,
  startFakeControlPlane,
} from '../../support/fake-control-plane/fake-control-plane';
import { processesWith } from '../../support/fake-control-plane/processes';
import {
  type RunnerProcess,
  startRunnerProcess,
} from '../../support/fake-control-plane/runner-process';
import { mountSmallDisk, type SmallDisk } from '../../support/small-disk';

let disk: SmallDisk;
let dir: string;
let plane: FakeControlPlane;
let env: Record<string, string>;
const runners: RunnerProcess[] = [];

beforeAll(async () => {
  disk = await mountSmallDisk('size=4m');
});
afterAll(() => disk.close());

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'tw-full-disk-'));
  plane = await startFakeControlPlane();
  // Says 20 things, and 2,000 more once a file "go" is on a disk that has room.
  const agent = `
    process.on('SIGINT', () => { result({ total_cost_usd: 0.11 }); process.exit(0); });
    init(); for (let i = 0; i < 20; i++) text('early ' + i);
    const look = setInterval(() => {
      if (!fs.existsSync(${JSON.stringify(path.join(dir, 'go'))})) return;
      clearInterval(look);
      for (let i = 0; i < 2000; i++) text('late ' + i);
      result(); setTimeout(() => process.exit(0), 200);
    }, 20);`;
  env = {
    TIERWATCH_URL: plane.url,
    TIERWATCH_RUNNER_DIR: path.join(disk.folder, 'runner'),
    TIERWATCH_RUNNER_GRACE_SECONDS: '0',
    CLAUDE_BIN: await agentScript(dir, agent),
  };
});

afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.kill('SIGKILL');
  for (const pid of processesWith(disk.folder)) process.kill(pid, 'SIGKILL');
  await plane.close();
  disk.free();
  await rm(dir, { recursive: true, force: true });
});

function start(program?: string): RunnerProcess {
  const runner = startRunnerProcess(env, program, disk);
  runners.push(runner);
  return runner;
}

const go = () => writeFile(path.join(dir, 'go'), '');
const spools = () => readdirSync(path.join(disk.outside, 'runner/spool'));

async function resultOf(spec = attemptSpec()) {
  plane.queue(spec);
  const attempt = plane.attempt(spec.attemptId);
  await plane.until(() => attempt.results.length > 0, 'the result');
  return attempt;
}

it('[FLT-3.3] ends what runs and starts nothing while it is full, and works again once there is room', async () => {
  start();
  const spec = attemptSpec();
  plane.queue(spec);
  const attempt = plane.attempt(spec.attemptId);
  await plane.until(() => attempt.ackedSeq >= 23, 'the early events');
  disk.fill();
  await go();
  await plane.until(() => attempt.results.length > 0, 'the result');
  expect(attempt.results).toMatchObject([{ stopCause: 'disk_full' }]);
  expect(attempt.conflicts).toEqual([]);
  expect(attempt.results[0]?.lastSeq).toBe(attempt.ackedSeq);
  await plane.until(() => spools().length === 0, 'the end of its spool');
  disk.fill();

  const refused = await resultOf();
  expect(refused.results).toMatchObject([{ startError: { code: 'disk_full' }, startedAt: null }]);
  await plane.until(() => spools().length === 0, 'no spool of an attempt that was not started');

  disk.free();
  const after = await resultOf();
  expect(after.results).toMatchObject([{ startError: null, stopCause: null, exit: { code: 0 } }]);
  const late = after.events().filter((event) => event.kind === 'text');
  expect(late).toHaveLength(2_020);
});

it('[FLT-3.3] a start on it says so, leaves no lock, and nothing undelivered is lost', async () => {
  const first = start();
  const spec = attemptSpec();
  plane.queue(spec);
  const attempt = plane.attempt(spec.attemptId);
  await plane.until(() => attempt.ackedSeq >= 23, 'the early events');
  await first.kill('SIGKILL');
  disk.fill();

  const refused = start(programFile('runner'));
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toContain(
    `The disk of this runner’s folder ${env.TIERWATCH_RUNNER_DIR} is full. Free some space on it`,
  );
  expect(refused.output()).not.toMatch(/^\s+at /m);
  expect(spools()).toEqual([spec.attemptId]);

  disk.free();
  start();
  await plane.until(() => attempt.results.length > 0, 'the result');
  expect(attempt.conflicts).toEqual([]);
  expect(attempt.results[0]?.lastSeq).toBe(attempt.ackedSeq);
  await go();
  expect((await resultOf()).results).toMatchObject([{ exit: { code: 0 } }]);
});
