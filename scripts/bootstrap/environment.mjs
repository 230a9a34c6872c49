import path from 'node:path';

/** What any program may need from the machine it runs on. */
const MACHINE =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SystemRoot|windir|ComSpec|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY|LOG_LEVEL)$/;
/** The runner's own settings, and what the agent's CLI needs. */
const RUNNER =
  /^(TIERWATCH_(URL|RUNNER_\w+)|CLAUDE_BIN|ANTHROPIC_\w+|CLAUDE_CODE_\w+|AWS_\w+|GOOGLE_\w+|CLOUD_ML_REGION)$/;
/** Never the control plane's business: the owner's login, and the agent's keys. */
const NOT_CONTROL =
  /^(npm_\w+|DATABASE_URL|TIERWATCH_RUNNER_\w+|TIERWATCH_SHADOW_ADMIN_URL|ANTHROPIC_\w+|CLAUDE_CODE_\w+)$/;
const SECRET =
  /^(npm_\w+|DATABASE_URL|REDIS_URL|SMTP_URL|APPRISE_URL|TIERWATCH_\w*|AUTH_\w+|ANTHROPIC_\w+)$/;

/** @param {Record<string, string | undefined>} env @param {(name: string) => boolean} isKept */
function pick(env, isKept) {
  return Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== undefined && isKept(name)),
  );
}

export function withoutSecrets(env) {
  return pick(env, (name) => !SECRET.test(name));
}

/** A runner's queue is PostgreSQL or Redis; its two variables exclude each other. */
function runnerQueue(url) {
  if (!url) return {};
  return url.startsWith('redis') ? { REDIS_URL: url } : { TIERWATCH_RUNNER_QUEUE_URL: url };
}

function runnerEnvironment(env, facts) {
  const passed = new Set(
    (env.TIERWATCH_RUNNER_PASS_ENV ?? '').split(',').map((name) => name.trim()),
  );
  const { TIERWATCH_RUNNER_QUEUE_URL: _, ...kept } = pick(
    env,
    (name) => MACHINE.test(name) || RUNNER.test(name) || passed.has(name),
  );
  return {
    TIERWATCH_URL: facts.localUrl,
    TIERWATCH_RUNNER_DIR: path.join(facts.dataDir, 'runner'),
    TIERWATCH_DEMO_BIN: path.join(facts.dataDir, 'demo', 'bin'),
    ...kept,
    ...runnerQueue(facts.runnerQueueUrl),
  };
}

/**
 * The environment of each process: as little as it needs. The control plane never sees the owner's
 * login; the runner sees neither tables nor the secret key.
 * @param {Record<string, string | undefined>} env of the start itself
 * @param {{ dataDir: string, host: string, port: number, localUrl: string, publicUrl: string,
 *   secretKey: string, appUrl: string, systemUrl: string, runnerQueueUrl: string | null }} facts
 */
export function processEnvironments(env, facts) {
  const common = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  const control = {
    ...pick(env, (name) => !NOT_CONTROL.test(name)),
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
    web: { ...control, NEXTAUTH_URL: env.NEXTAUTH_URL ?? facts.publicUrl },
    worker: control,
    runner: { ...runnerEnvironment(env, facts), ...common },
    demoService: { ...pick(env, (name) => MACHINE.test(name)), ...common },
  };
}
