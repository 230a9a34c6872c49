/** What a runner has seen reaches the control plane, whoever of the two goes away. */
import { existsSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { resultRequestSchema } from '@/lib/protocol/schema';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { currentBootId } from '@/workers/runner/process/process-table';
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

/** Says 100 things, and 5,000 more once a file "go" is in its work dir. `end` follows. */
const TALKER = (end: string) => `
  init(); for (let i = 0; i < 100; i++) text('early ' + i);
  const look = setInterval(() => {
    if (!fs.existsSync('go')) return;
    clearInterval(look);
    for (let i = 0; i < 5000; i++) text('late ' + i);
    ${end}
  }, 20);`;

let dir: string;
let plane: FakeControlPlane;
let env: Record<string, string>;
const runners: RunnerProcess[] = [];

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'tw-spool-'));
  plane = await startFakeControlPlane();
});

afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.kill('SIGKILL');
  // A killed runner leaves its agents to the next one.
  for (const pid of processesWith(dir)) process.kill(pid, 'SIGKILL');
  await plane.close();
  await rm(dir, { recursive: true, force: true });
});

function start(): RunnerProcess {
  const runner = startRunnerProcess(env);
  runners.push(runner);
  return runner;
}

async function prepare(agent: string): Promise<AttemptSpec> {
  env = {
    TIERWATCH_URL: plane.url,
    TIERWATCH_RUNNER_DIR: path.join(dir, 'runner'),
    TIERWATCH_RUNNER_GRACE_SECONDS: '0',
    CLAUDE_BIN: await agentScript(dir, agent),
  };
  const spec = attemptSpec();
  plane.queue(spec);
  return spec;
}

async function letGo({ organizationId, projectId }: AttemptSpec): Promise<void> {
  await writeFile(path.join(dir, 'runner/projects', organizationId, projectId, 'open/work/go'), '');
}

function spooledLines({ attemptId }: AttemptSpec): number {
  const file = path.join(dir, 'runner/spool', attemptId, 'events.ndjson');
  return readFileSync(file, 'utf8').split('\n').length - 1;
}

function isSpooled({ attemptId }: AttemptSpec): boolean {
  return existsSync(path.join(dir, 'runner/spool', attemptId));
}

function lateTexts(spec: AttemptSpec): string[] {
  const events = plane.attempt(spec.attemptId).events();
  return events.flatMap((event) =>
    event.kind === 'text' && event.text.startsWith('late') ? [event.text] : [],
  );
}

const ALL_LATE = Array.from({ length: 5_000 }, (_, index) => `late ${index}`);

it('[SAS-3.4] a control plane that was away gets every event and the result once', async () => {
  const spec = await prepare(TALKER('result(); process.exit(0);'));
  start();
  const attempt = plane.attempt(spec.attemptId);
  await plane.until(() => attempt.ackedSeq >= 103, 'the early events');
  plane.setAway(true);
  await letGo(spec);
  await plane.until(() => spooledLines(spec) >= 5_100, 'the events on disk');
  await plane.until(() => !processesWith(spec.start.cliSessionId).length, 'the end of the agent');
  expect(attempt.ackedSeq).toBeLessThan(1_000);
  plane.setAway(false);
  await plane.until(() => attempt.results.length > 0, 'the result');
  expect(lateTexts(spec)).toEqual(ALL_LATE);
  expect(attempt.conflicts).toEqual([]);
  expect(attempt.results).toMatchObject([{ exit: { code: 0 }, lastSeq: attempt.ackedSeq }]);
  await plane.until(() => !isSpooled(spec), 'the end of its folder');
});

it('the last events go with the result, in one request', async () => {
  const spec = await prepare('init(); result(); process.exit(0);');
  start();
  const attempt = plane.attempt(spec.attemptId);
  await plane.until(() => attempt.results.length > 0, 'the result');
  const parsed = plane.bodies.map((body) => resultRequestSchema.safeParse(JSON.parse(body)));
  const [result] = parsed.flatMap(({ data }) => data ?? []);
  expect(result?.events.at(-1)).toMatchObject({
    seq: attempt.ackedSeq,
    event: { kind: 'process', phase: 'exited' },
  });
  // A request with events may be under way; whatever was sent twice is stored once.
  expect(attempt.events()).toHaveLength(attempt.ackedSeq);
});

it('[SAS-3.4] a runner killed with 5,000 unsent events delivers each of them once', async () => {
  const spec = await prepare(TALKER('forever();'));
  env = { ...env, TIERWATCH_RUNNER_CGROUP: 'off' };
  const first = start();
  const attempt = plane.attempt(spec.attemptId);
  await plane.until(() => attempt.ackedSeq >= 103, 'the early events');
  plane.setAway(true);
  const before = attempt.ackedSeq;
  await letGo(spec);
  await plane.until(() => spooledLines(spec) >= 5_103, 'the events on disk');
  await first.kill('SIGKILL');
  expect(processesWith(spec.start.cliSessionId)).toHaveLength(1);
  expect(attempt.ackedSeq).toBe(before);

  plane.setAway(false);
  start();
  await plane.until(() => attempt.results.length > 0, 'the result');
  expect(lateTexts(spec)).toEqual(ALL_LATE);
  expect(attempt.conflicts).toEqual([]);
  // One event asks how far the first runner had got.
  expect(attempt.repeats).toBeLessThanOrEqual(1);
  expect(attempt.results).toMatchObject([
    { startError: null, stopCause: null, exit: null, leftoversKilled: 1 },
  ]);
  expect(attempt.events().at(-1)).toMatchObject({ kind: 'notice', code: 'RUNNER_RESTARTED' });
  expect(processesWith(spec.start.cliSessionId)).toEqual([]);
});

it('an event that was half written when the runner was killed is not sent', async () => {
  const spec = await prepare(TALKER('forever();'));
  const first = start();
  const attempt = plane.attempt(spec.attemptId);
  await plane.until(() => attempt.ackedSeq >= 103, 'the early events');
  await first.kill('SIGKILL');
  const file = path.join(dir, 'runner/spool', spec.attemptId, 'events.ndjson');
  await writeFile(file, `${readFileSync(file, 'utf8')}{"seq":104,"at":"20`);
  start();
  await plane.until(() => attempt.results.length > 0, 'the result');
  expect(attempt.ackedSeq).toBe(104);
  expect(processesWith(spec.start.cliSessionId)).toEqual([]);
  expect(attempt.events().at(-1)).toMatchObject({ code: 'RUNNER_RESTARTED' });
});

async function leaveEmptySpool(spec: AttemptSpec, bootId: string | null): Promise<void> {
  const { createAttemptSpool } = await import('@/workers/runner/spool/spool-folder');
  plane.attempt(spec.attemptId).isClaimed = true;
  createAttemptSpool(path.join(dir, 'runner/spool'), {
    attemptId: spec.attemptId,
    fence: 1,
    label: spec.label,
    claimedAt: new Date().toISOString(),
    marker: 'nothing-carries-this',
    cgroupDir: null,
    cliSessionId: spec.start.cliSessionId,
    configDir: dir,
    attemptDir: path.join(dir, 'runner/attempts', spec.attemptId),
    privateConfigDir: null,
    workDir: null,
    writesHandoffFile: true,
    copyFile: null,
    bootId,
  });
}

it('[SAS-3.3] an attempt that was claimed and never started is reported as such', async () => {
  const spec = await prepare('result();');
  await leaveEmptySpool(spec, currentBootId());
  start();
  const attempt = plane.attempt(spec.attemptId);
  await plane.until(() => attempt.results.length > 0, 'the result');
  expect(attempt.results).toMatchObject([
    { startError: { code: 'runner_restarted' }, startedAt: null, lastSeq: 0 },
  ]);
});

it.each([
  ['another boot', 'another-boot'],
  ['an unknown boot', null],
])(
  '[SAS-3.3] an empty spool from %s is no proof that nothing was started',
  async (_title, bootId) => {
    const spec = await prepare('result();');
    await leaveEmptySpool(spec, bootId);
    start();
    const attempt = plane.attempt(spec.attemptId);
    await plane.until(() => attempt.results.length > 0, 'the result');
    expect(attempt.results).toMatchObject([{ startError: null, exit: null, lastSeq: 1 }]);
    expect(attempt.events()).toMatchObject([{ kind: 'notice', code: 'RUNNER_RESTARTED' }]);
  },
);

it('a second runner in the same folder is refused', async () => {
  const spec = await prepare(TALKER('result();'));
  start();
  await plane.until(() => plane.attempt(spec.attemptId).ackedSeq >= 103, 'the first runner');
  const second = start();
  await plane.until(() => second.output().includes('Another runner is using'), 'the refusal');
  expect(processesWith(spec.start.cliSessionId)).toHaveLength(1);
});

it('a control plane that was restored from a backup gets again what it has lost', async () => {
  const spec = await prepare(TALKER('result(); process.exit(0);'));
  start();
  const attempt = plane.attempt(spec.attemptId);
  await plane.until(() => attempt.ackedSeq >= 103, 'the early events');
  attempt.restoreTo(50);
  await letGo(spec);
  await plane.until(() => attempt.results.length > 0, 'the result');
  expect(lateTexts(spec)).toEqual(ALL_LATE);
  expect(attempt.conflicts).toEqual([]);
});

it('an attempt that no longer belongs to the runner is stopped and holds up no other', async () => {
  const spec = await prepare(TALKER('forever();'));
  start();
  await plane.until(() => plane.attempt(spec.attemptId).ackedSeq >= 103, 'the early events');
  plane.disown(spec.attemptId);
  await letGo(spec);
  await plane.until(() => !processesWith(spec.start.cliSessionId).length, 'the end of the agent');
  const other = attemptSpec();
  plane.queue(other);
  await plane.until(() => plane.attempt(other.attemptId).ackedSeq >= 103, 'the other attempt');
  expect(plane.attempt(spec.attemptId).results).toEqual([]);
});

it('what one attempt reports and is refused for good does not hold up another', async () => {
  const spec = await prepare('init(); text("a"); result();');
  const other = attemptSpec();
  plane.queue(other);
  plane.refuseEventsOf(spec.attemptId);
  start();
  await plane.until(() => plane.attempt(other.attemptId).results.length > 0, 'the other result');
  expect(plane.attempt(spec.attemptId).ackedSeq).toBe(0);
  await plane.until(() => {
    const held = plane.heartbeats.at(-1)?.running ?? [];
    return held.length === 0;
  }, 'the heartbeat without it');
});

it('[FLT-3.1] the agent of an attempt whose record was lost is ended, and its events are kept', async () => {
  const spec = await prepare(TALKER('forever();'));
  const first = start();
  const attempt = plane.attempt(spec.attemptId);
  await plane.until(() => attempt.ackedSeq >= 103, 'the early events');
  await first.kill('SIGKILL');
  expect(processesWith(spec.start.cliSessionId)).not.toEqual([]);
  const spool = path.join(dir, 'runner/spool', spec.attemptId);
  truncateSync(path.join(spool, 'spec.json'));
  start();
  await plane.until(() => !processesWith(spec.start.cliSessionId).length, 'the end of the agent');
  await plane.until(() => !isSpooled(spec), 'the end of its spool');
  const kept = path.join(dir, 'runner/refused', spec.attemptId, 'events.ndjson');
  expect(readFileSync(kept, 'utf8').split('\n').length).toBeGreaterThan(100);
  expect(attempt.results).toEqual([]);
});

it('[FLT-3.1] a killed runner leaves no cgroup behind once its folder has been used again', async () => {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  const mount = mounts.find((line) => line.includes(' - cgroup2 '))?.split(' ')[4];
  const cgroupsOf = ({ pid }: RunnerProcess) =>
    mount === undefined
      ? []
      : readdirSync(mount, { recursive: true, encoding: 'utf8' }).filter(
          (name) => path.basename(name) === `tierwatch-${pid}`,
        );
  const spec = await prepare(TALKER('forever();'));
  const first = start();
  const attempt = plane.attempt(spec.attemptId);
  await plane.until(() => attempt.ackedSeq >= 103, 'the early events');
  await first.kill('SIGKILL');
  const second = start();
  await plane.until(() => attempt.results.length > 0, 'the result');
  await second.kill('SIGTERM');
  expect([...cgroupsOf(first), ...cgroupsOf(second)]).toEqual([]);
});
