import { Redis } from 'ioredis';
import { rolePassword } from './database-urls.mjs';

const LOGIN = 'tierwatch_runner';
/** Keys of the runners' queues; the control plane's lie under another prefix. */
const KEYS = '~bullmq_runner:*';
const RIGHTS = ['+@all', '-@admin', '-@dangerous', '+info', '+client|setname', '+client|getname'];

/**
 * Makes a Redis login that reaches the runners' queues only. Null where Redis does not let us: the
 * local runner then asks for work over HTTP.
 * @param {string} redisUrl the control plane's login
 */
export async function ensureRedisRunnerLogin(redisUrl, secretKey) {
  const redis = new Redis(redisUrl, { lazyConnect: true, maxRetriesPerRequest: 1 });
  redis.on('error', () => {});
  const password = rolePassword(secretKey, LOGIN);
  try {
    await redis.connect();
    await redis.call(
      'ACL',
      'SETUSER',
      LOGIN,
      'reset',
      'on',
      `>${password}`,
      KEYS,
      'resetchannels',
      ...RIGHTS,
    );
  } catch (error) {
    if (/NOPERM|unknown command/i.test(error.message)) return null;
    throw error;
  } finally {
    redis.disconnect();
  }
  const url = new URL(redisUrl);
  url.username = LOGIN;
  url.password = password;
  return url.toString();
}
