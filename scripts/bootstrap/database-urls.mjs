import { createHmac } from 'node:crypto';
import { StartProblem } from './problem.mjs';

/** The logins besides the owner, with the variable that may name each. */
export const ROLES = [
  { role: 'tierwatch_app', variable: 'TIERWATCH_APP_DATABASE_URL' },
  { role: 'tierwatch_system', variable: 'TIERWATCH_SYSTEM_DATABASE_URL' },
  { role: 'tierwatch_runner', variable: 'TIERWATCH_RUNNER_QUEUE_URL' },
];

export function rolePassword(secretKey, role) {
  return createHmac('sha256', secretKey).update(`database-role:${role}`).digest('base64url');
}

/** The owner's address with another login. */
export function roleUrl(ownerUrl, role, secretKey) {
  const url = new URL(ownerUrl);
  url.username = role;
  url.password = rolePassword(secretKey, role);
  return url.toString();
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
 * The addresses the processes get: those given, else made from the owner's.
 * @param {Record<string, string | undefined>} env
 * @returns {{ appUrl: string, systemUrl: string, runnerUrl: string }}
 */
export function roleUrls(ownerUrl, secretKey, env) {
  const [appUrl, systemUrl, runnerUrl] = ROLES.map(
    ({ role, variable }) => env[variable] || roleUrl(ownerUrl, role, secretKey),
  );
  return { appUrl, systemUrl, runnerUrl };
}
