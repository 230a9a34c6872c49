/** Redis is killed, restarted, flushed, or not there yet: what was to be done is done once it's back. */

import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkReadiness } from '@/lib/platform/health';
import { controlQueue, enqueueAttempt, takeAttemptJob } from '@/lib/platform/queue/enqueue';
import { findFreePort } from '@/scripts/bootstrap/ports.mjs';
import { keepRedisRunnerLogin, runnerUrl } from '@/scripts/bootstrap/redis-runner-login.mjs';
import { findProgram, startRedis } from '@/scripts/test/redis.mjs';
import { useTestDatabase } from '@/tests/support/database';
import { openQueueSource } from '@/workers/runner/queue-source';
import { restoreSchedules, startSchedules } from '@/workers/schedules';

const program = findProgram('redis-server') ?? '';
const PATIENCE = { timeout: 60_000, interval: 50 };

describe.runIf(program)('[FLT-3.4] Redis', () => {
  const database = useTestDatabase();
  let port: number;
  let server: Awaited<ReturnType<typeof startRedis>> | null = null;

  const start = async () => {
    server ??= await startRedis(program, { port });
  };
  const stop = async () => {
    await server?.stop();
    server = null;
  };
  const isQueueUp = async () => (await checkReadiness()).parts.queue;

  beforeAll(async () => {
    port = await findFreePort();
    process.env.REDIS_URL = `redis://127.0.0.1:${port}/0`;
  });
  afterAll(async () => {
    await stop();
  });

  it('that is not there yet is named as missing, holds up nobody who enqueues, and is used once it is there', async () => {
    expect(await isQueueUp()).toBe(false);
    await enqueueAttempt('pool-a', 'early');
    await start();
    await vi.waitFor(async () => expect(await isQueueUp()).toBe(true), PATIENCE);
    await takes('pool-a', 'late');
  });

  it('that is killed is named as missing, holds up nobody who enqueues, and is used once it is back', async () => {
    await start();
    await stop();
    await vi.waitFor(async () => expect(await isQueueUp()).toBe(false), PATIENCE);
    await enqueueAttempt('pool-a', 'while-away');
    await start();
    await vi.waitFor(async () => expect(await isQueueUp()).toBe(true), PATIENCE);
    await takes('pool-a', 'back');
  });

  it('that lost its data gets the recurring jobs again', async () => {
    await start();
    await startSchedules(controlQueue());
    const before = await controlQueue().getJobSchedulers();
    expect(before.map(({ key }) => key)).toContain('attempts.enqueue');
    const redis = new Redis(process.env.REDIS_URL ?? '');
    await redis.flushall();
    redis.disconnect();
    expect(await controlQueue().getJobSchedulers()).toEqual([]);
    await restoreSchedules(controlQueue());
    const after = await controlQueue().getJobSchedulers();
    expect(after.map(({ key }) => key).sort()).toEqual(before.map(({ key }) => key).sort());
  });

  it('that was restarted lets runners in again, and gives them their attempts', async () => {
    await start();
    const url = process.env.REDIS_URL ?? '';
    const failures: Error[] = [];
    const endLogin = keepRedisRunnerLogin(url, database.secretKey, (error) => failures.push(error));
    const backend = { kind: 'redis', url: runnerUrl(url, database.secretKey) } as const;
    const source = openQueueSource(backend, ['pool-b']);
    const next = () => source.next(new AbortController().signal);
    try {
      const first = next();
      await enqueueAttempt('pool-b', 'before');
      await expect(first).resolves.toMatchObject({ attemptId: 'before' });
      await (await first)?.done();
      const second = untilAnswered(next);
      await stop();
      await start();
      await vi.waitFor(async () => expect(await isQueueUp()).toBe(true), PATIENCE);
      await vi.waitFor(async () => {
        await enqueueAttempt('pool-b', 'after');
        expect(await isTakenBy(second)).toBe('after');
      }, PATIENCE);
      expect(failures).toEqual([]);
    } finally {
      endLogin();
      await source.close();
    }
  });

  /** Again and again, as the sweep does: what was enqueued while Redis was away may be lost. */
  async function takes(queue: string, attemptId: string) {
    const seen: (string | null)[] = [];
    await vi.waitFor(async () => {
      await enqueueAttempt(queue, attemptId);
      seen.push(await takeAttemptJob(queue));
      expect(seen).toContain(attemptId);
    }, PATIENCE);
  }
});

/** The attempt that somebody has been given by now, or null. */
async function isTakenBy(waiting: Promise<{ attemptId: string }>): Promise<string | null> {
  const soon = new Promise<null>((resolve) => setTimeout(() => resolve(null), 100));
  return Promise.race([waiting.then(({ attemptId }) => attemptId), soon]);
}

/** As a runner does: it asks again after a failure. */
async function untilAnswered(next: () => Promise<{ attemptId: string } | null>) {
  for (;;) {
    const ticket = await next().catch(() => null);
    if (ticket) return ticket;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
