/** Ends that the runner brings about, and what is left of the agent's processes then. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { attemptSpec, type SpecChanges } from '../../support/fake-control-plane/attempt-spec';
import { processesWith } from '../../support/fake-control-plane/processes';
import { type RunnerHost, startRunnerHost } from '../../support/fake-control-plane/runner-host';

let host: RunnerHost;
afterEach(() => host.close());

const limits = { timeoutSeconds: 60, stallSeconds: 60, maxTurns: 10, maxBudgetUsd: 1 };

/** Starts an attempt and waits until its agent has said "working". */
async function working(changes: SpecChanges = {}) {
  const spec = attemptSpec(changes);
  host.plane.queue(spec);
  const attempt = host.plane.attempt(spec.attemptId);
  await host.plane.until(
    () => attempt.events().some((event) => event.kind === 'text' && event.text === 'working'),
    'the agent to work',
  );
  return attempt;
}

async function stopped(attempt: Awaited<ReturnType<typeof working>>) {
  const { attemptId } = attempt.spec;
  host.plane.direct({ kind: 'stop', attemptId, reason: 'operator' });
  await host.plane.until(() => attempt.results.length > 0, 'the result of the stop');
  return attempt.results[0];
}

/** Its whole family ignores signals, changes its session and environment, and outlives the agent. */
const FAMILY = (mark: string) => `
  init(); call('t1', 'sleep');
  spawn('sh', ['-c', "setsid sh -c 'sleep 99${mark} & sleep 99${mark}' & setsid sh -c 'sleep 99${mark} & sleep 99${mark} &' & env -i setsid sh -c 'trap \\"\\" INT TERM; sleep 99${mark}; sleep 99${mark}' & sleep 99${mark}"],
    { detached: true, stdio: 'ignore' });
  const { execSync } = require('node:child_process');
  const look = setInterval(() => {
    if (Number(execSync('pgrep -fc "^sleep 99${mark}$" || true')) < 6) return;
    clearInterval(look); text('working'); forever();
  }, 50);`;

it.each([
  ['by its cgroup where there is one', 'auto'],
  ['by its marker', 'off'],
])('[SAS-3.2] a stop ends everything the agent has started, %s', async (_how, cgroup) => {
  const mark = String(Math.floor(Math.random() * 1e6)).padStart(6, '0');
  const env = { TIERWATCH_RUNNER_CGROUP: cgroup };
  host = await startRunnerHost({ agent: FAMILY(mark), env });
  const attempt = await working();
  expect(processesWith(`sleep 99${mark}`).length).toBeGreaterThanOrEqual(6);
  const result = await stopped(attempt);
  expect(result).toMatchObject({ stopCause: 'operator', exit: { code: null, signal: 'SIGINT' } });
  expect(processesWith(`sleep 99${mark}`)).toEqual([]);
  expect(result?.leftoversKilled).toBeGreaterThanOrEqual(6);
});

it('[SAS-3.2] a process that ignores the interrupt is killed', async () => {
  host = await startRunnerHost({
    agent: `process.on('SIGINT', () => text('no')); init(); text('working'); forever();`,
  });
  const attempt = await working();
  expect(await stopped(attempt)).toMatchObject({
    stopCause: 'operator',
    exit: { code: null, signal: 'SIGKILL' },
  });
  expect(attempt.events()).toContainEqual(expect.objectContaining({ kind: 'text', text: 'no' }));
});

it('[SAS-3.2] a stop reaches a silent process, which still tells its cost', async () => {
  host = await startRunnerHost({
    agent: `process.on('SIGINT', () => { result({ subtype: 'error_during_execution', is_error: true, total_cost_usd: 0.47 }); process.exit(0); });
      init(); text('working'); forever();`,
  });
  const attempt = await working();
  expect(await stopped(attempt)).toMatchObject({ stopCause: 'operator', exit: { code: 0 } });
  const result = attempt.events().find((event) => event.kind === 'result');
  expect(result).toMatchObject({ totalCostUsd: 0.47 });
});

it('what outlives a normal end is ended too, and counted', async () => {
  const mark = `tw-${randomUUID()}`;
  host = await startRunnerHost({
    agent: `init(); spawn('setsid', ['sh', '-c', 'sleep 600; : ${mark}'], { detached: true, stdio: 'ignore' }).unref(); result();`,
  });
  const attempt = await host.run();
  expect(attempt.results[0]).toMatchObject({ stopCause: null, exit: { code: 0 } });
  expect(attempt.results[0]?.leftoversKilled).toBeGreaterThan(0);
  expect(processesWith(mark)).toEqual([]);
});

it('a child that holds the output open does not hold the attempt open', async () => {
  host = await startRunnerHost({
    agent: `init(); spawn('setsid', ['sleep', '600'], { detached: true, stdio: 'inherit' }).unref(); result(); process.exit(0);`,
  });
  const attempt = await host.run();
  expect(attempt.results[0]).toMatchObject({ exit: { code: 0 }, stopCause: null });
});

it('ends an agent that is silent with no tool call open', async () => {
  host = await startRunnerHost({ agent: `init(); text('thinking'); forever();` });
  const attempt = await host.run({ start: { limits: { ...limits, stallSeconds: 1 } } });
  expect(attempt.results[0]).toMatchObject({ stopCause: 'stalled' });
});

it('does not take a long tool call for a stall', async () => {
  // The limit counts from the start of the process, which takes its time on a busy machine.
  host = await startRunnerHost({
    agent: `init(); call('t1', 'sleep 7'); setTimeout(() => { result(); process.exit(0); }, 7000);`,
  });
  const attempt = await host.run({ start: { limits: { ...limits, stallSeconds: 5 } } });
  expect(attempt.results[0]).toMatchObject({ stopCause: null, exit: { code: 0 } });
});

it('ends an agent at its time limit, also inside a tool call', async () => {
  host = await startRunnerHost({ agent: `init(); call('t1', 'sleep'); forever();` });
  const attempt = await host.run({ start: { limits: { ...limits, timeoutSeconds: 1 } } });
  expect(attempt.results[0]).toMatchObject({ stopCause: 'timed_out' });
});

it('ends an agent that offers more tools than its tier has', async () => {
  host = await startRunnerHost({
    agent: `init({ tools: ['Bash', 'Read', 'WebFetch'] }); forever();`,
  });
  const attempt = await host.run();
  expect(attempt.results[0]).toMatchObject({ stopCause: 'surplus_tools' });
  expect(attempt.events()).toContainEqual(
    expect.objectContaining({
      code: 'SURPLUS_TOOLS',
      message: expect.stringContaining('WebFetch'),
    }),
  );
});

it('says so when the agent could not reach the check server', async () => {
  host = await startRunnerHost({
    agent: `init({ mcp_servers: [{ name: 'tierwatch', status: 'failed' }] }); result();`,
  });
  const attempt = await host.run();
  expect(attempt.results[0]).toMatchObject({ stopCause: null });
  expect(attempt.events()).toContainEqual(
    expect.objectContaining({ code: 'MCP_SERVER_FAILED', level: 'warning' }),
  );
});

it('a stopping runner ends its agents and says why', async () => {
  host = await startRunnerHost({ agent: `init(); text('working'); forever();` });
  const attempt = await working();
  await host.runner.stop();
  expect(attempt.results[0]).toMatchObject({ stopCause: 'runner_shutdown' });
});

it('[FLT-2.1] a stopping runner starts nothing of what it has just claimed, and says so', async () => {
  host = await startRunnerHost({ agent: `init(); text('working'); forever();` });
  const spec = attemptSpec();
  let stopping: Promise<void> | null = null;
  host.plane.onClaim(() => {
    stopping ??= host.runner.stop();
    return null;
  });
  host.plane.queue(spec);
  await host.plane.until(() => stopping !== null, 'the claim');
  await stopping;
  const { events, results } = host.plane.attempt(spec.attemptId);
  expect(events()).toEqual([]);
  // Nothing has started, so the control plane may start it elsewhere without a look first.
  expect(results).toMatchObject([{ startError: { code: 'runner_restarted' }, lastSeq: 0 }]);
});

it('a revoked runner stops its agents and ends', async () => {
  host = await startRunnerHost({ agent: `init(); text('working'); forever();` });
  const attempt = await working();
  host.plane.direct({ kind: 'revoked' });
  await host.runner.ended;
  expect(attempt.results[0]).toMatchObject({ stopCause: 'policy' });
});

it('a drained runner ends what it has, takes nothing new, and continues when it may', async () => {
  host = await startRunnerHost({
    agent: `init(); text('working'); setInterval(() => { if (fs.existsSync(path.join(process.cwd(), 'go'))) { result(); process.exit(0); } }, 20);`,
  });
  const attempt = await working();
  host.plane.isDraining = true;
  host.plane.direct({ kind: 'drain' });
  const { organizationId, projectId } = attempt.spec;
  await writeFile(
    path.join(host.runnerDir, 'projects', organizationId, projectId, 'open', 'work', 'go'),
    '',
  );
  await host.plane.until(() => attempt.results.length === 1, 'the running attempt');
  const next = attemptSpec();
  host.plane.queue(next);
  host.plane.isDraining = false;
  await host.plane.until(() => host.plane.attempt(next.attemptId).isClaimed, 'a claim');
});
