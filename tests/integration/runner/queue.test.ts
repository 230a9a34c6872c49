/** Attempts from the real queue, with the login a runner has. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AGENTS } from '@/lib/agents/registry';
import type { QueueBackend } from '@/lib/platform/queue/backend';
import { enqueueAttempt } from '@/lib/platform/queue/enqueue';
import type { AttemptSource } from '@/workers/runner/claim-loop';
import { parseRunnerEnv } from '@/workers/runner/env';
import { openQueueSource } from '@/workers/runner/queue-source';
import { startRunner } from '@/workers/runner/runner';
import { useTestDatabase } from '../../support/database';
import { agentScript } from '../../support/fake-control-plane/agent-script';
import { attemptSpec } from '../../support/fake-control-plane/attempt-spec';
import {
  RUNNER_KEY,
  startFakeControlPlane,
} from '../../support/fake-control-plane/fake-control-plane';
import { root } from '../../support/fake-control-plane/runner-host';

const database = useTestDatabase();
const sources: AttemptSource[] = [];
const never = new AbortController().signal;
let queues: string[];
let count = 0;

function backend(): QueueBackend {
  return database.redisUrl
    ? { kind: 'redis', url: database.redisUrl }
    : { kind: 'postgres', url: database.runnerUrl, maxConnections: 2 };
}

function open(): AttemptSource {
  const source = openQueueSource(backend(), queues);
  sources.push(source);
  return source;
}

beforeEach(() => {
  count += 1;
  queues = [`pool-${count}`, `runner-${count}`];
});

afterEach(async () => {
  await Promise.all(sources.splice(0).map((source) => source.close()));
});

it('[SAS-3.1] takes attempts from the pool’s queue and from its own', async () => {
  const source = open();
  const waiting = source.next(never);
  await enqueueAttempt(queues[1] ?? '', 'att-own');
  const own = await waiting;
  expect(own?.attemptId).toBe('att-own');
  await own?.done();
  await enqueueAttempt(queues[0] ?? '', 'att-pool');
  const pool = await source.next(never);
  expect(pool?.attemptId).toBe('att-pool');
  await pool?.done();
});

it('a job that was taken off can be enqueued again with the same id', async () => {
  const source = open();
  for (const _ of [1, 2]) {
    await enqueueAttempt(queues[0] ?? '', 'att-again');
    const ticket = await source.next(never);
    expect(ticket?.attemptId).toBe('att-again');
    await ticket?.done();
  }
});

it('takes one attempt for one question, and leaves the rest to another runner', async () => {
  for (const queue of queues) await enqueueAttempt(queue, `att-${queue}`);
  const first = open();
  const taken = [await first.next(never)];
  const second = open();
  taken.push(await second.next(never));
  expect(taken.map((ticket) => ticket?.attemptId).sort()).toEqual(
    queues.map((queue) => `att-${queue}`).sort(),
  );
  await Promise.all(taken.map((ticket) => ticket?.done()));
});

it('gives up when it is told to', async () => {
  const source = open();
  const abort = new AbortController();
  const waiting = source.next(abort.signal);
  abort.abort();
  expect(await waiting).toBeNull();
});

it('[SAS-3.1] a runner works from a job to a result', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'tw-queue-'));
  const plane = await startFakeControlPlane();
  const spec = attemptSpec();
  plane.queue(spec);
  const env = parseRunnerEnv({
    PATH: process.env.PATH,
    TIERWATCH_URL: plane.url,
    TIERWATCH_RUNNER_DIR: path.join(dir, 'runner'),
    CLAUDE_BIN: await agentScript(dir, 'init(); result();'),
  });
  const harnesses = AGENTS;
  const runner = await startRunner({
    env,
    key: RUNNER_KEY,
    root,
    harnesses,
    canary: async () => null,
    openSource: open,
  });
  await enqueueAttempt(queues[0] ?? '', spec.attemptId);
  await plane.until(() => plane.attempt(spec.attemptId).results.length > 0, 'the result');
  await runner.stop();
  await plane.close();
  await rm(dir, { recursive: true, force: true });
});
