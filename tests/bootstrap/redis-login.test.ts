import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectQueues, createWorker } from '@/lib/platform/queue/backend';
import { ensureRedisRunnerLogin } from '@/scripts/bootstrap/redis-runner-login.mjs';
import { findProgram, startRedis } from '@/scripts/test/redis.mjs';

const program = findProgram('redis-server');

describe.runIf(program)('[SAS-3.1] the runner’s login on Redis', () => {
  let server: Awaited<ReturnType<typeof startRedis>>;
  let runnerUrl: string;
  beforeAll(async () => {
    server = await startRedis(program ?? '');
    runnerUrl = (await ensureRedisRunnerLogin(server.url, 'a secret key')) ?? '';
  });
  afterAll(() => server.stop());

  it('takes and completes a job of a runner’s queue', async () => {
    const queues = connectQueues({ kind: 'redis', url: server.url }, 'runner');
    const worker = createWorker({ kind: 'redis', url: runnerUrl }, 'runner', 'pool-a', null);
    await queues.queue('pool-a').add('attempt', { attemptId: '1' }, { jobId: 'a-1' });
    const job = await worker.getNextJob('token');
    expect(job?.id).toBe('a-1');
    await job?.moveToCompleted('done', 'token', false);
    await Promise.all([worker.close(), queues.close()]);
  });

  it('can neither read nor forge a control job, nor change its own rights', async () => {
    const control = connectQueues({ kind: 'redis', url: server.url }, 'control');
    await control.queue('control').add('attempt.settle', {}, { jobId: 'c-1' });
    const redis = new Redis(runnerUrl);
    const refused = { message: expect.stringContaining('NOPERM') };
    await expect(redis.hgetall('bullmq:control:c-1')).rejects.toMatchObject(refused);
    await expect(redis.lpush('bullmq:control:wait', 'forged')).rejects.toMatchObject(refused);
    await expect(
      redis.eval('return redis.call("get", KEYS[1])', 1, 'bullmq:control:id'),
    ).rejects.toMatchObject(refused);
    await expect(redis.call('ACL', 'LIST')).rejects.toMatchObject(refused);
    await expect(redis.flushall()).rejects.toMatchObject(refused);
    await expect(redis.keys('*')).rejects.toMatchObject(refused);
    redis.disconnect();
    await control.close();
  });
});
