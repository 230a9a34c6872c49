import path from 'node:path';
import { readAgentVariables } from './agent-variables.mjs';

/** What any program may need from the machine it runs on. */
const MACHINE =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SystemRoot|windir|ComSpec|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY|LOG_LEVEL)$/;
/** The runner's own settings. It also gets what its agents need. */
const RUNNER = /^TIERWATCH_(URL|RUNNER_\w+)$/;
/** The owner's login and what is the runner's. The control plane gets no agent's keys either. */
const NOT_CONTROL = /^(npm_\w+|DATABASE_\w+|TIERWATCH_RUNNER_\w+|TIERWATCH_SHADOW_ADMIN_URL)$/;
/** Besides the agents' keys. */
const SECRET =
  /^(npm_\w+|DATABASE_\w+|REDIS_\w+|SMTP_\w+|APPRISE_\w+|TIERWATCH_\w*|AUTH_\w+|OTEL_\w+)$/;

/** @param {readonly RegExp[]} patterns @param {string} name */
function isAmong(patterns, name) {
  return patterns.some((pattern) => pattern.test(name));
}

/** @param {Record<string, string | undefined>} env @param {(name: string) => boolean} isKept */
function pick(env, isKept) {
  return Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== undefined && isKept(name)),
  );
}

/** @param {Record<string, string | undefined>} env */
export function withoutSecrets(env, agents = readAgentVariables()) {
  return pick(env, (name) => !SECRET.test(name) && !isAmong(agents.credentials, name));
}

/** A runner's queue is PostgreSQL or Redis; its two variables exclude each other. */
function runnerQueue(url) {
  if (!url) return {};
  return url.startsWith('redis') ? { REDIS_URL: url } : { TIERWATCH_RUNNER_QUEUE_URL: url };
}

function runnerEnvironment(env, facts, agents) {
  const passed = new Set(
    (env.TIERWATCH_RUNNER_PASS_ENV ?? '').split(',').map((name) => name.trim()),
  );
  const {
    TIERWATCH_RUNNER_QUEUE_URL: _url,
    TIERWATCH_RUNNER_QUEUE_PASSWORD: _password,
    ...kept
  } = pick(
    env,
    (name) =>
      MACHINE.test(name) ||
      RUNNER.test(name) ||
      isAmong(agents.credentials, name) ||
      isAmong(agents.others, name) ||
      passed.has(name),
  );
  return {
    TIERWATCH_URL: facts.localUrl,
    TIERWATCH_RUNNER_DIR: facts.runnerDir,
    TIERWATCH_DEMO_BIN: path.join(facts.dataDir, 'demo', 'bin'),
    ...kept,
    // The data folder holds the secret key and the database.
    TIERWATCH_RUNNER_HIDE: [facts.dataDir, env.TIERWATCH_RUNNER_HIDE].filter(Boolean).join(':'),
    ...runnerQueue(facts.runnerQueueUrl),
  };
}

/**
 * The environment of each process: as little as it needs. The control plane never sees the owner's
 * login; the runner sees neither tables nor the secret key.
 * @param {Record<string, string | undefined>} env of the start itself
 * @param {{ dataDir: string, runnerDir: string, host: string, port: number, localUrl: string, publicUrl: string,
 *   secretKey: string, appUrl: string, systemUrl: string, runnerQueueUrl: string | null }} facts
 * @param agents variables of the agents that the runner has
 */
export function processEnvironments(env, facts, agents = readAgentVariables()) {
  const common = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  const control = {
    ...pick(env, (name) => !NOT_CONTROL.test(name) && !isAmong(agents.credentials, name)),
    ...common,
    TIERWATCH_DATA_DIR: facts.dataDir,
    HOST: facts.host,
    PORT: String(facts.port),
    TIERWATCH_PUBLIC_URL: facts.publicUrl,
    TIERWATCH_SECRET_KEY: facts.secretKey,
    TIERWATCH_APP_DATABASE_URL: facts.appUrl,
    TIERWATCH_SYSTEM_DATABASE_URL: facts.systemUrl,
  };
  return {
    web: {
      ...control,
      NEXTAUTH_URL: env.NEXTAUTH_URL ?? facts.publicUrl,
      // Next would exit before the last traces are exported.
      ...(env.OTEL_EXPORTER_OTLP_ENDPOINT ? { NEXT_MANUAL_SIG_HANDLE: '1' } : {}),
    },
    // It makes the runners' login again when Redis has forgotten it.
    worker: { ...control, ...pick(env, (name) => name === 'TIERWATCH_RUNNER_QUEUE_PASSWORD') },
    runner: { ...runnerEnvironment(env, facts, agents), ...common },
    demoService: { ...pick(env, (name) => MACHINE.test(name)), ...common },
  };
}
