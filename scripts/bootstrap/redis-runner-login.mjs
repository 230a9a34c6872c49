import { Redis } from 'ioredis';
import { rolePassword } from './database-urls.mjs';

const LOGIN = 'tierwatch_runner';
/** Keys of the runners' queues; the control plane's lie under another prefix. */
const KEYS = '~bullmq_runner:*';
const RIGHTS = ['+@all', '-@admin', '-@dangerous', '+info', '+client|setname', '+client|getname'];

/**
 * Makes a Redis login that reaches the runners' queues only.
 * @param {string} redisUrl the control plane's login
 * @param {string} secretKey
 * @returns {Promise<string | null>} its URL; null where Redis does not let us make one: the local runner
 *   then asks for work over HTTP
 * @throws if Redis doesn't respond
 */
export async function ensureRedisRunnerLogin(redisUrl, secretKey) {
  const redis = new Redis(redisUrl, { lazyConnect: true, maxRetriesPerRequest: 1 });
  redis.on('error', () => {});
  try {
    await redis.connect();
    return (await makeLogin(redis, secretKey)) ? runnerUrl(redisUrl, secretKey) : null;
  } finally {
    redis.disconnect();
  }
}

/**
 * Makes the login each time Redis is connected: it is in Redis' memory and lost when that restarts.
 * @param {string} redisUrl the control plane's login
 * @param {string} secretKey
 * @param {(error: Error) => void} onError it wasn't made
 * @returns {() => void} ends it
 */
export function keepRedisRunnerLogin(redisUrl, secretKey, onError) {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 1 });
  redis.on('error', () => {});
  redis.on('ready', () => makeLogin(redis, secretKey).catch(onError));
  return () => redis.disconnect();
}

/** The address under which a runner reaches its queues on this Redis. */
export function runnerUrl(redisUrl, secretKey) {
  const url = new URL(redisUrl);
  url.username = LOGIN;
  url.password = rolePassword(secretKey, LOGIN);
  return url.toString();
}

/** @returns {Promise<boolean>} false: this Redis does not let us */
async function makeLogin(redis, secretKey) {
  const password = `>${rolePassword(secretKey, LOGIN)}`;
  const rights = ['reset', 'on', password, KEYS, 'resetchannels', ...RIGHTS];
  try {
    await redis.call('ACL', 'SETUSER', LOGIN, ...rights);
    return true;
  } catch (error) {
    if (/NOPERM|unknown command/i.test(error.message)) return false;
    throw error;
  }
}
