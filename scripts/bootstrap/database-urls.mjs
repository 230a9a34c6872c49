import { createHmac } from 'node:crypto';
import { StartProblem } from './problem.mjs';

/** The logins besides the owner, with the variable that may name each. */
export const ROLES = [
  { role: 'tierwatch_app', variable: 'TIERWATCH_APP_DATABASE_URL' },
  { role: 'tierwatch_system', variable: 'TIERWATCH_SYSTEM_DATABASE_URL' },
  { role: 'tierwatch_runner', variable: 'TIERWATCH_RUNNER_QUEUE_URL' },
];

/** The login that runners outside this machine may get, on PostgreSQL and on Redis. */
export const RUNNER_LOGIN = 'tierwatch_runner';
const SHORTEST_PASSWORD = 16;

/**
 * The password of a login: made from the secret key, unless TIERWATCH_RUNNER_QUEUE_PASSWORD sets the
 * runners' own.
 *
 * @param {Record<string, string | undefined>} [env]
 * @throws {StartProblem} if that one is too short
 */
export function rolePassword(secretKey, role, env = {}) {
  const given = role === RUNNER_LOGIN ? env.TIERWATCH_RUNNER_QUEUE_PASSWORD : '';
  if (!given) {
    return createHmac('sha256', secretKey).update(`database-role:${role}`).digest('base64url');
  }
  if (given.length >= SHORTEST_PASSWORD) return given;
  throw new StartProblem(
    `TIERWATCH_RUNNER_QUEUE_PASSWORD has ${given.length} characters and needs at least ${SHORTEST_PASSWORD}. Create one with: openssl rand -hex 24`,
  );
}

/** The owner's address with another login. */
export function roleUrl(ownerUrl, role, secretKey, env = {}) {
  const url = new URL(ownerUrl);
  url.username = role;
  url.password = encodeURIComponent(rolePassword(secretKey, role, env));
  return url.toString();
}

/** Whether an address names a login of ours and leaves its password to us. */
export function isWithoutPassword(address, role) {
  const { username, password } = new URL(address);
  return username === role && password === '';
}

/** Refuses an address that would break row-level security's or the queue's own connection options. */
export function requireUsableUrl(variable, value) {
  let url;
  try {
    url = new URL(value);
  } catch {
    throw new StartProblem(
      `${variable} is not a database URL. Use the form postgresql://user:password@host:5432/database`,
    );
  }
  if (url.protocol !== 'postgresql:' && url.protocol !== 'postgres:') {
    throw new StartProblem(
      `${variable} starts with ${url.protocol}// and must start with postgresql://`,
    );
  }
  if (url.searchParams.has('options')) {
    throw new StartProblem(
      `${variable} contains "options=…", which would replace the options that the queue sets. Remove it.`,
    );
  }
}

/**
 * The addresses the processes get: those given, else made from the owner's. A given one that names
 * the role without a password gets the password that `ensureLogins` gave the role.
 *
 * @param {string | null} ownerUrl null where each address is given
 * @param {Record<string, string | undefined>} env
 * @returns {{ appUrl: string, systemUrl: string, runnerUrl: string }} `runnerUrl` is empty if it is
 *   neither given nor can be made
 */
export function roleUrls(ownerUrl, secretKey, env) {
  const [appUrl, systemUrl, runnerUrl] = ROLES.map(({ role, variable }) => {
    const given = env[variable];
    if (given && !isWithoutPassword(given, role)) return given;
    const address = given || ownerUrl;
    return address ? roleUrl(address, role, secretKey, env) : '';
  });
  return { appUrl, systemUrl, runnerUrl };
}
