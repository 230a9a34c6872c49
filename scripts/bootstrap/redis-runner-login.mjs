import { Redis } from 'ioredis';
import { RUNNER_LOGIN } from './database-urls.mjs';

/** Keys of the runners' queues; the control plane's lie under another prefix. */
const KEYS = '~bullmq_runner:*';
/**
 * What taking a job needs. A command without a key isn't limited by `KEYS`, so none is allowed that
 * tells of other keys (SCAN, RANDOMKEY, CLIENT TRACKING) or touches what all logins share (FUNCTION,
 * SCRIPT).
 */
const RIGHTS = [
  '-@all',
  ...['+@hash', '+@list', '+@set', '+@sortedset', '+@string', '+@stream', '-@dangerous'],
  ...['+del', '+unlink', '+exists', '+type', '+expire', '+pexpire', '+persist', '+ttl', '+pttl'],
  ...['+multi', '+exec', '+discard', '+eval', '+evalsha', '+time'],
  ...['+hello', '+ping', '+quit', '+reset', '+select', '+info'],
  ...['+client|id', '+client|setname', '+client|getname'],
];

/**
 * Makes a Redis login that reaches the runners' queues only.
 * @param {string} redisUrl the control plane's login
 * @param {string} password of the login, from `rolePassword`
 * @returns {Promise<string | null>} its URL; null where Redis does not let us make one: the local runner
 *   then asks for work over HTTP
 * @throws if Redis doesn't respond
 */
export async function ensureRedisRunnerLogin(redisUrl, password) {
  const redis = new Redis(redisUrl, { lazyConnect: true, maxRetriesPerRequest: 1 });
  redis.on('error', () => {});
  try {
    await redis.connect();
    return (await makeLogin(redis, password)) ? runnerUrl(redisUrl, password) : null;
  } finally {
    redis.disconnect();
  }
}

/**
 * Makes the login each time Redis is connected: it is in Redis' memory and lost when that restarts.
 * @param {string} redisUrl the control plane's login
 * @param {string} password of the login, from `rolePassword`
 * @param {(error: Error) => void} onError it wasn't made
 * @returns {() => void} ends it
 */
export function keepRedisRunnerLogin(redisUrl, password, onError) {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 1 });
  redis.on('error', () => {});
  redis.on('ready', () => makeLogin(redis, password).catch(onError));
  return () => redis.disconnect();
}

/** The address under which a runner reaches its queues on this Redis. */
export function runnerUrl(redisUrl, password) {
  const url = new URL(redisUrl);
  url.username = RUNNER_LOGIN;
  url.password = encodeURIComponent(password);
  return url.toString();
}

/** @returns {Promise<boolean>} false: this Redis does not let us */
async function makeLogin(redis, password) {
  const rights = ['reset', 'on', `>${password}`, KEYS, 'resetchannels', ...RIGHTS];
  try {
    await redis.call('ACL', 'SETUSER', RUNNER_LOGIN, ...rights);
    return true;
  } catch (error) {
    if (/^(NOPERM|ERR unknown command)/.test(error.message)) return false;
    throw error;
  }
}
