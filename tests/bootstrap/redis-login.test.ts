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
    runnerUrl = (await ensureRedisRunnerLogin(server.url, 'a password')) ?? '';
    expect(runnerUrl).toContain('tierwatch_runner');
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
    await expect(redis.call('ACL', 'LIST')).rejects.toMatchObject(refused);
    redis.disconnect();
    await control.close();
  });

  // A script's refusal names the command, or the key, in words of its own.
  const REFUSED = /NOPERM|ACL failure|not allowed|No permissions|can't (?:access|run)/;

  it.each([
    ['names of other keys', 'SCAN 0'],
    ['names of other keys', 'KEYS *'],
    ['the name of a random key', 'RANDOMKEY'],
    ['how many keys there are', 'DBSIZE'],
    ['what others write', 'CLIENT TRACKING ON BCAST PREFIX bullmq:'],
    ['what others do', 'MONITOR'],
    ['who is connected', 'CLIENT LIST'],
    ['what is published', 'SUBSCRIBE anything'],
    ['what is published', 'PSUBSCRIBE *'],
    ['who listens', 'PUBSUB CHANNELS'],
    ['a channel of others', 'PUBLISH anything forged'],
    ['the settings', 'CONFIG GET *'],
    ['the logins', 'ACL GETUSER default'],
    ['its own rights', 'ACL SETUSER tierwatch_runner +@all ~*'],
    ['functions of all logins', 'FUNCTION FLUSH'],
    ['functions of all logins', 'FUNCTION LIST'],
    ['scripts of all logins', 'SCRIPT FLUSH'],
    ['scripts of all logins', 'SCRIPT KILL'],
    ['connections of others', 'CLIENT KILL TYPE normal'],
    ['connections of others', 'CLIENT PAUSE 1000'],
    ['everything', 'FLUSHALL'],
    ['everything', 'FLUSHDB'],
    ['other databases', 'SWAPDB 0 1'],
    ['the server', 'SHUTDOWN NOSAVE'],
    ['the server', 'REPLICAOF 127.0.0.1 1'],
    ['the server', 'DEBUG SLEEP 0'],
    ['modules', 'MODULE LIST'],
    ['the disk', 'BGSAVE'],
    ['another key, by copying', 'COPY bullmq:control:id bullmq_runner:stolen'],
    ['another key, by renaming', 'RENAME bullmq:control:id bullmq_runner:stolen'],
    ['another key, by moving', 'LMOVE bullmq:control:wait bullmq_runner:stolen LEFT LEFT'],
    ['another key, by sorting', 'SORT bullmq_runner:x BY nosort GET bullmq:control:*'],
    ['another key, by dumping', 'DUMP bullmq:control:id'],
    ['another key, in a transaction', 'WATCH bullmq:control:id'],
    ['another key, in another database', 'GET bullmq:control:id', '1'],
    ['a script with a declared key', 'EVAL return(redis.call("get",KEYS[1])) 1 bullmq:control:id'],
    ['a script with a hidden key', 'EVAL return(redis.call("get","bullmq:control:id")) 0'],
    ['a script that lists keys', 'EVAL return(redis.call("scan","0")) 0'],
    ['a script that reads the settings', 'EVAL return(redis.call("config","get","*")) 0'],
  ])('doesn’t reach %s: %s', async (_what, command, database = '0') => {
    const redis = new Redis(runnerUrl, { db: Number(database), retryStrategy: () => null });
    const [name = '', ...args] = command.split(' ');
    await expect(redis.call(name, ...args)).rejects.toThrow(REFUSED);
    redis.disconnect();
  });

  it('[SEC-2.4] observes no other queue, key or client', async () => {
    const queues = connectQueues({ kind: 'redis', url: server.url }, 'runner');
    const own = 'bullmq_runner:pool-a:meta';
    const redis = new Redis(runnerUrl);
    const followed: unknown[] = [];
    redis.on('message', (...all) => followed.push(all));
    await redis.hset(own, 'a', '1');
    const attacks: [string, ...string[]][] = [
      ['SCAN', '0'],
      ['SCAN', '0', 'MATCH', 'bullmq_runner:*'],
      ['RANDOMKEY'],
      ['KEYS', '*'],
      ['DBSIZE'],
      ['MONITOR'],
      ['CLIENT', 'LIST'],
      ['CLIENT', 'KILL', 'TYPE', 'normal'],
      ['CLIENT', 'TRACKING', 'ON', 'BCAST'],
      ['PUBSUB', 'CHANNELS'],
      ['PUBSUB', 'NUMPAT'],
      ['SUBSCRIBE', '__keyspace@0__:bullmq_runner:pool-b:wait'],
      ['PSUBSCRIBE', '*'],
      ['PUBLISH', 'any', 'forged'],
      ['CONFIG', 'GET', '*'],
      ['CONFIG', 'SET', 'notify-keyspace-events', 'KEA'],
      ['SLOWLOG', 'GET'],
      ['LATENCY', 'LATEST'],
      ['MEMORY', 'USAGE', own],
      ['OBJECT', 'FREQ', own],
      ['ACL', 'WHOAMI'],
      ['ACL', 'USERS'],
      ['COMMAND', 'GETKEYS', 'GET', 'x'],
      ['SCRIPT', 'FLUSH'],
      ['FUNCTION', 'LIST'],
      ['SORT', own, 'BY', 'bullmq:*'],
      ['COPY', own, 'bullmq_runner:copy', 'DB', '1'],
      ['MOVE', own, '1'],
      ['SWAPDB', '0', '1'],
      ['DUMP', own],
      ['MIGRATE', '127.0.0.1', '1', own, '0', '1'],
      ['REPLICAOF', 'NO', 'ONE'],
      ['SHUTDOWN'],
    ];
    const open: string[] = [];
    for (const [command, ...rest] of attacks) {
      const answer = await redis.call(command, ...rest).then(
        (value) => `answered ${JSON.stringify(value)}`,
        (error: Error) => error.message,
      );
      if (!answer.startsWith('NOPERM')) open.push(`${[command, ...rest].join(' ')}: ${answer}`);
    }
    const scan = 'return redis.call("SCAN", "0")';
    await expect(redis.eval(scan, 0)).rejects.toThrow(/NOPERM|can't run this command/);
    await queues.queue('pool-b').add('attempt', { attemptId: '2' }, { jobId: 'b-1' });
    expect(open).toEqual([]);
    expect(followed).toEqual([]);
    expect(await redis.info()).not.toMatch(/pool-b|b-1/);
    redis.disconnect();
    await queues.close();
  });

  it('[SEC-2.4] may run these commands and no others', async () => {
    const admin = new Redis(server.url);
    const user = (await admin.call('ACL', 'GETUSER', 'tierwatch_runner')) as unknown[];
    admin.disconnect();
    const value = (name: string) => user[user.indexOf(name) + 1];
    expect(value('keys')).toBe('~bullmq_runner:*');
    expect(value('channels')).toBe('');
    const rights = String(value('commands')).split(' ');
    expect(rights[0]).toBe('-@all');
    const given = rights.filter((right) => right.startsWith('+')).sort();
    expect(given).toEqual(
      [
        ...['+@hash', '+@list', '+@set', '+@sortedset', '+@stream', '+@string'],
        ...['+client|getname', '+client|id', '+client|setname', '+eval', '+evalsha', '+time'],
        ...['+@transaction', '+hello', '+info', '+ping', '+quit', '+reset'],
        ...['+select', '+del', '+exists', '+expire', '+persist', '+pexpire', '+pttl', '+ttl'],
        ...['+type', '+unlink'],
      ].sort(),
    );
  });
});
