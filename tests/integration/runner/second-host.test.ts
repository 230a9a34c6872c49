/** A runner that is told that another process holds its key. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { runnerIdentity } from '@/workers/runner/identity';
import { attemptSpec } from '../../support/fake-control-plane/attempt-spec';
import { processesWith } from '../../support/fake-control-plane/processes';
import { type RunnerHost, startRunnerHost } from '../../support/fake-control-plane/runner-host';

let host: RunnerHost;
afterEach(() => host.close());

it('[SEC-2.3] stops its agents, keeps what it has to report, and works again once it holds the key', async () => {
  const mark = `99${String(Math.floor(Math.random() * 1e6)).padStart(6, '0')}`;
  const agent = `init(); call('t1', 'sleep'); spawn('sleep', ['${mark}'], { stdio: 'ignore' }); text('working'); forever();`;
  host = await startRunnerHost({ agent });
  const { plane, runnerDir } = host;
  const spec = attemptSpec();
  plane.queue(spec);
  const attempt = plane.attempt(spec.attemptId);
  await plane.until(
    () => attempt.events().some((event) => event.kind === 'text' && event.text === 'working'),
    'the agent to work',
  );
  plane.isKeyInUse = true;
  await plane.until(() => processesWith(`sleep ${mark}`).length === 0, 'the agent to end');
  expect(attempt.results).toEqual([]);
  expect(readdirSync(path.join(runnerDir, 'spool'))).toContain(spec.attemptId);
  plane.isKeyInUse = false;
  await plane.until(() => attempt.results.length > 0, 'the result');
  expect(attempt.results[0]).toMatchObject({ stopCause: 'fenced' });
  expect(existsSync(path.join(runnerDir, 'refused', spec.attemptId))).toBe(false);
  const next = attemptSpec();
  plane.queue(next);
  await plane.until(() => plane.claims.includes(next.attemptId), 'the next claim');
});

it('[SEC-2.3] is known after a restart by its folder, and each process by itself', async () => {
  host = await startRunnerHost({});
  const kept = readFileSync(path.join(host.runnerDir, 'instance'), 'utf8').trim();
  const [one, two] = [runnerIdentity(host.runnerDir), runnerIdentity(host.runnerDir)];
  expect([one.instanceId, two.instanceId]).toEqual([kept, kept]);
  expect(one.processId).not.toBe(two.processId);
});
