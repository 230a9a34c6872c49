import { readFileSync } from 'node:fs';
import { StartProblem } from './problem.mjs';

/** Variables that hold a secret. `<name>_FILE` may name a file that holds it instead. */
export const SECRETS = [
  'DATABASE_URL',
  'DATABASE_PASSWORD',
  'TIERWATCH_APP_DATABASE_URL',
  'TIERWATCH_SYSTEM_DATABASE_URL',
  'REDIS_URL',
  'REDIS_PASSWORD',
  'TIERWATCH_SECRET_KEY',
  'TIERWATCH_RUNNER_QUEUE_URL',
  'TIERWATCH_RUNNER_QUEUE_PASSWORD',
  'TIERWATCH_RUNNER_KEY',
  'TIERWATCH_TOKEN',
  'TIERWATCH_METRICS_TOKEN',
  'TIERWATCH_WATCHDOG_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'SMTP_URL',
  'APPRISE_URL',
  'TIERWATCH_S3_SECRET_ACCESS_KEY',
  'AUTH_GITHUB_SECRET',
  'AUTH_GOOGLE_SECRET',
  'AUTH_OIDC_SECRET',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
];

/** Passwords that become part of an address, so that the address itself is no secret. */
const PASSWORDS = [
  { password: 'DATABASE_PASSWORD', address: 'DATABASE_URL' },
  { password: 'REDIS_PASSWORD', address: 'REDIS_URL' },
];

/**
 * Returns the environment with each `<name>_FILE` replaced by the file's content, without the line
 * break at its end, and with the passwords in their addresses. Every start calls this first, so that the
 * processes it starts find plain variables; repeating it changes nothing.
 *
 * @param {Record<string, string | undefined>} env not changed
 * @returns {Record<string, string | undefined>}
 * @throws {StartProblem} with one line for each secret that can't be used
 */
export function readSecrets(env) {
  const complete = { ...env };
  takeSecrets(complete);
  return complete;
}

/**
 * Does the same to the environment itself, for programs whose modules read it later.
 *
 * @param {Record<string, string | undefined>} env
 * @throws {StartProblem} with one line for each secret that can't be used
 */
export function takeSecrets(env) {
  const problems = [
    ...SECRETS.map((name) => takeFromFile(env, name)),
    ...PASSWORDS.map((pair) => takeIntoAddress(env, pair)),
  ].filter((problem) => problem !== null);
  if (problems.length > 0) throw new StartProblem(problems.join('\n'));
}

/** @returns {string | null} what is wrong */
function takeFromFile(env, name) {
  const variable = `${name}_FILE`;
  const file = env[variable];
  delete env[variable];
  if (!file) return null;
  if (env[name]) {
    return `${name} and ${variable} are both set, so it is unclear which one counts. Remove one of them.`;
  }
  let content;
  try {
    content = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    return `${variable} names ${file}, which can’t be read: ${readingProblem(error)}`;
  }
  if (content.trim() === '') {
    return `${variable} names ${file}, which is empty. Write the secret into it, or remove ${variable}.`;
  }
  env[name] = content;
  return null;
}

function readingProblem({ code, message }) {
  switch (code) {
    case 'ENOENT':
      return 'there is no such file. Create it, or correct the path.';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied. Let the account of this process read it.';
    case 'EISDIR':
      return 'it is a folder. Name the file that holds the secret.';
    default:
      return message;
  }
}

/** @returns {string | null} what is wrong */
function takeIntoAddress(env, { password, address }) {
  const secret = env[password];
  if (!secret) return null;
  if (!env[address])
    return `${password} is set without ${address}, the address it is for. Set both.`;
  let url;
  try {
    url = new URL(env[address]);
  } catch {
    // Whoever reads the address says what is wrong with it.
    return null;
  }
  if (url.password) {
    return `${address} contains a password, and ${password} is set too. Remove one of them.`;
  }
  url.password = encodeURIComponent(secret);
  env[address] = url.toString();
  delete env[password];
  return null;
}
