/** Checkpoints as the runner writes and delivers them; what the real CLI adds is in tests/cli. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { CheckpointPlan } from '@/lib/protocol/spec';
import { eventually } from '../../bootstrap/eventually';
import { attemptSpec } from '../../support/fake-control-plane/attempt-spec';
import type { StoredAttempt } from '../../support/fake-control-plane/attempt-store';
import { plainHarness } from '../../support/fake-control-plane/plain-harness';
import { type RunnerHost, startRunnerHost } from '../../support/fake-control-plane/runner-host';

const PLAN: CheckpointPlan = {
  project: 'Checkout',
  promptInterval: 1_000,
  timeIntervalMs: 3_600_000,
  recoveryBudgetChars: 2_000,
};

/** Says what it does, and ends once a file "go" is in its work dir. */
const WAITING = `init(); text('looking');
  const look = setInterval(() => {
    if (!fs.existsSync('go')) return;
    clearInterval(look);
    text('seen'); result();
  }, 20);`;

let host: RunnerHost;
afterEach(() => host.close());

function queue(checkpoints: CheckpointPlan | null = PLAN): StoredAttempt {
  const spec = attemptSpec({ start: { checkpoints } });
  host.plane.queue(spec);
  return host.plane.attempt(spec.attemptId);
}

const checkpointsOf = (attempt: StoredAttempt) =>
  attempt.events().filter((event) => event.kind === 'checkpoint');

function spoken(attempt: StoredAttempt): Promise<void> {
  const isThere = () => attempt.events().some((event) => event.kind === 'text');
  return host.plane.until(isThere, 'the first words');
}

async function letGo({ spec }: StoredAttempt): Promise<void> {
  const { organizationId, projectId } = spec;
  const work = path.join(host.runnerDir, 'projects', organizationId, projectId, 'open', 'work');
  await writeFile(path.join(work, 'go'), '');
  await host.plane.until(() => host.plane.attempt(spec.attemptId).results.length > 0, 'a result');
}

it('[CKP-1.4] [CKP-2.2] the last one is written at the end, before the result, with the real path', async () => {
  host = await startRunnerHost({ agent: `init(); call('t1', 'df -h'); result();` });
  const attempt = await host.run({ start: { checkpoints: PLAN } });
  const [last, ...others] = checkpointsOf(attempt);
  expect(others).toEqual([]);
  expect(last).toMatchObject({
    trigger: 'session_end',
    counts: { prompts: 1, toolCalls: 1, toolResults: 0 },
    projectPath: last?.projectPathNormalized,
  });
  expect(last?.projectPath).toMatch(/\/projects\/[^/]+\/[^/]+\/open\/work$/);
  expect(last?.digest).toContain('Bash: df -h (still running)');
  expect(attempt.results[0]?.lastSeq).toBe(attempt.events().length);
});

it('[CKP-2.2] a control plane that is away gets each of them once, when it is back', async () => {
  host = await startRunnerHost({ agent: WAITING });
  const attempt = queue();
  const { attemptId } = attempt.spec;
  await spoken(attempt);
  host.plane.direct({ kind: 'checkpoint', attemptId, requestedAt: '2026-11-22T10:00:00.000Z' });
  await host.plane.until(() => checkpointsOf(attempt).length === 1, 'the first checkpoint');
  host.plane.setAway(true);
  const ended = letGo(attempt);
  const result = path.join(host.runnerDir, 'spool', attemptId, 'result.json');
  await eventually('the agent has ended', () => existsSync(result));
  expect(checkpointsOf(attempt)).toHaveLength(1);
  host.plane.setAway(false);
  await ended;
  expect(checkpointsOf(attempt).map(({ trigger }) => trigger)).toEqual(['explicit', 'session_end']);
  expect(attempt.conflicts).toEqual([]);
});

it('[CKP-3.4] a person asks for one: it is written once, however often the request is said', async () => {
  host = await startRunnerHost({ agent: WAITING });
  const attempt = queue();
  const { attemptId } = attempt.spec;
  await spoken(attempt);
  const ask = (requestedAt: string) =>
    host.plane.direct({ kind: 'checkpoint', attemptId, requestedAt });
  const first = '2026-11-22T10:00:00.000Z';
  for (const requestedAt of [first, first, '2026-11-22T10:00:01.000Z']) ask(requestedAt);
  await host.plane.until(() => checkpointsOf(attempt).length === 2, 'both checkpoints');
  await letGo(attempt);
  expect(checkpointsOf(attempt).map(({ trigger }) => trigger)).toEqual([
    'explicit',
    'explicit',
    'session_end',
  ]);
});

it('[CKP-7.1] off: the agent gets no hooks and no tools for notes, and nothing is written', async () => {
  host = await startRunnerHost({
    agent: `init(); text(process.argv.join(' ') + fs.readFileSync(flag('--settings'), 'utf8')); result();`,
  });
  const off = await host.run({ start: { checkpoints: null } });
  const on = await host.run({ start: { checkpoints: PLAN } });
  const argv = (attempt: StoredAttempt) =>
    JSON.stringify(attempt.events().find((event) => event.kind === 'text'));
  expect(argv(on)).toContain('mcp__tierwatch__session_digest');
  expect(argv(on)).toContain('hooks');
  expect(argv(off)).not.toMatch(/hooks|session_digest/);
  expect(checkpointsOf(off)).toEqual([]);
});

it('an agent that cannot be started has kept nothing', async () => {
  host = await startRunnerHost({ claudeBin: '/nowhere/claude' });
  const attempt = await host.run({ start: { checkpoints: PLAN } });
  expect(attempt.results[0]?.startError).not.toBeNull();
  expect(checkpointsOf(attempt)).toEqual([]);
});

it('[CKP-7.2] another CLI is one adapter: its stream alone is kept track of', async () => {
  host = await startRunnerHost({
    agent: `stdin(); for (const n of [1, 2, 3]) console.log('$ df -h /disk' + n + ' => full');`,
    harness: plainHarness,
  });
  const attempt = await host.run({ start: { checkpoints: PLAN } });
  const [last] = checkpointsOf(attempt);
  expect(last?.counts).toMatchObject({ prompts: 1, toolCalls: 3, toolResults: 3 });
  expect(last?.digest).toContain('- Shell: df -h /disk2');
});
