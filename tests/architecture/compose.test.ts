/** What docker-compose.yml promises about each container, and that it knows every setting. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SECRETS } from '@/scripts/bootstrap/secret-files.mjs';
import { readCompose, replaceVariables } from '../support/containers/compose-file';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const compose = readCompose({ TIERWATCH_PUBLIC_URL: 'https://tierwatch.example.com' });
const services = Object.entries(compose.services);
const REQUIRED = `$\{MISSING:?is needed}`;
const CONTROL = ['web', 'worker'];
const RUNNERS = ['runner', 'queue-runner'];

/** Names in capitals in a program's schema of its environment. */
function variablesOf(file: string): string[] {
  return [...read(file).matchAll(/^ {2,4}([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name ?? '');
}

describe('[SEC-4.1] every container', () => {
  it.each(services)(
    '%s has a read-only file system, no capabilities, and limits',
    (_name, service) => {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        cap_add: [],
        privileged: false,
        security_opt: ['no-new-privileges:true'],
        mem_limit: expect.stringMatching(/^\d+[mg]$/),
        cpus: expect.any(Number),
        pids_limit: expect.any(Number),
      });
    },
  );

  it.each(services)('%s doesn’t run as root', (_name, { user, build }) => {
    if (build === undefined) {
      expect(user).toMatch(/^(postgres|redis)$/);
      return;
    }
    const stage = read('Dockerfile').split(` AS ${build.target}\n`)[1]?.split('\nFROM ')[0];
    expect(stage).toMatch(/^USER node$/m);
    expect(user).toBeUndefined();
  });

  it.each(services)('%s gets secrets as files, never as variables', (_name, service) => {
    const { environment, secrets, command, entrypoint } = service;
    for (const [name, value] of Object.entries(environment)) {
      if (!SECRETS.includes(name)) expect(name).not.toMatch(/(PASSWORD|SECRET|TOKEN|KEY)$/);
      else expect(new URL(value).password, name).toBe('');
      if (!name.endsWith('_FILE') || value === '') continue;
      expect(
        secrets.map((secret) => `/run/secrets/${secret}`),
        name,
      ).toContain(value);
    }
    for (const secret of secrets) expect(Object.keys(compose.secrets)).toContain(secret);
    const used = [...command, ...entrypoint].join('\n').matchAll(/\/run\/secrets\/(\w+)/g);
    for (const [, secret] of used) expect(secrets).toContain(secret);
  });

  it('takes no secret from .env', () => {
    const variables = [...read('docker-compose.yml').matchAll(/\$\{(\w+)/g)].map(
      ([, name]) => name,
    );
    expect(variables.filter((name) => SECRETS.includes(name ?? ''))).toEqual([]);
    expect(variables.filter((name) => /PASSWORD|SECRET$|_KEY$/.test(name ?? ''))).toEqual([]);
  });

  it('has its secrets outside the image and the repository', () => {
    expect(read('.dockerignore').split('\n')).toContain('secrets');
    expect(read('.gitignore').split('\n')).toContain('/secrets/');
  });

  it('is built from images pinned by digest', () => {
    const pinned = /^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/;
    const named = services.filter(([, { build }]) => !build).map(([, { image }]) => image);
    const bases = [...read('Dockerfile').matchAll(/^ARG NODE_IMAGE=(\S+)$/gm)].map(
      ([, name]) => name,
    );
    expect(bases).toHaveLength(1);
    for (const image of [...named, ...bases]) expect(image).toMatch(pinned);
    const from = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, name]) => name);
    const stages = [...read('Dockerfile').matchAll(/ AS (\S+)$/gm)].map(([, name]) => name);
    expect(from.filter((name) => !name?.includes('NODE_IMAGE') && !stages.includes(name))).toEqual(
      [],
    );
  });
});

describe('[SEC-4.1] who holds which login', () => {
  const holders = (secret: string) =>
    services.filter(([, { secrets }]) => secrets.includes(secret)).map(([name]) => name);

  it('gives the owner’s login to migrate alone, which then ends', () => {
    expect(holders('database_password')).toEqual(['database-owner', 'migrate']);
    expect(holders('postgres_password')).toEqual(['postgres', 'database-owner']);
    const named = services.filter(([, { environment }]) => 'DATABASE_URL' in environment);
    expect(named.map(([name]) => name)).toEqual(['migrate']);
  });

  it('gives web and worker the application’s logins', () => {
    for (const name of CONTROL) {
      const environment = compose.services[name]?.environment ?? {};
      expect(new URL(environment.TIERWATCH_APP_DATABASE_URL ?? '').username).toBe('tierwatch_app');
      expect(new URL(environment.TIERWATCH_SYSTEM_DATABASE_URL ?? '').username).toBe(
        'tierwatch_system',
      );
    }
  });

  it('keeps the secret key and the control plane’s queue from runners', () => {
    for (const secret of ['secret_key', 'redis_password']) {
      expect(holders(secret).filter((name) => RUNNERS.includes(name))).toEqual([]);
    }
    expect(holders('runner_queue_password')).toEqual(['migrate', 'worker', 'queue-runner']);
  });

  it('keeps runners off the network of the database, and the database off the internet', () => {
    for (const name of RUNNERS) expect(compose.services[name]?.networks).not.toContain('data');
    expect(compose.services.postgres?.networks).toEqual(['data']);
    expect(compose.networks.data?.internal).toBe(true);
    expect(compose.networks.queue?.internal).toBe(true);
  });
});

describe('[FLT-1.1] the settings in docker-compose.yml', () => {
  /** Settings of a program that a container gets from somewhere else, or has no use for. */
  const ELSEWHERE: Record<string, string> = {
    NODE_ENV: 'is in the image',
    TIERWATCH_DATA_DIR: 'is /app/.data',
    TIERWATCH_RUNNER_DIR: 'is in the image',
    TIERWATCH_RUNNER_CGROUP: 'is found out',
    TIERWATCH_RUNNER_QUEUE_URL: 'would put the queues into PostgreSQL',
    TIERWATCH_RUNNER_QUEUE_PASSWORD: 'is the worker’s and migrate’s alone',
    // Without a default: a web process has another than the worker.
    HOST: 'is the web process’s',
    PORT: 'is the web process’s',
    NEXT_MANUAL_SIG_HANDLE: 'is set by the start where traces are exported',
    TIERWATCH_RUNNER_UPDATE_SECONDS: 'is about updates, which a container gets as a new image',
    TIERWATCH_RUNNER_METRICS_PORT:
      'is served on loopback, which nothing outside a container reaches',
    // The HTTPS runner has none.
    REDIS_URL: 'is the queue runner’s',
  };

  it.each([
    ['web', 'lib/platform/env.ts'],
    ['worker', 'lib/platform/env.ts'],
    ['runner', 'workers/runner/env.ts'],
    ['queue-runner', 'workers/runner/env.ts'],
  ])('%s gets every variable that %s reads', (name, file) => {
    const given = Object.keys(compose.services[name]?.environment ?? {}).map((variable) =>
      variable.replace(/_FILE$/, ''),
    );
    const missing = variablesOf(file).filter(
      (variable) => !given.includes(variable) && !(variable in ELSEWHERE),
    );
    expect(missing, `Add them to docker-compose.yml for ${name}.`).toEqual([]);
    expect(variablesOf(file).length).toBeGreaterThan(8);
  });

  it.each(services.filter(([, { build }]) => build !== undefined))(
    '%s gets no variable that nothing reads',
    (_name, { environment }) => {
      const known = [
        ...variablesOf('lib/platform/env.ts'),
        ...variablesOf('workers/runner/env.ts'),
        ...SECRETS,
        ...['ANTHROPIC_BASE_URL', 'LOG_LEVEL'],
      ];
      const unknown = Object.keys(environment).filter(
        (variable) =>
          !known.includes(variable) && !SECRETS.includes(variable.replace(/_FILE$/, '')),
      );
      expect(unknown).toEqual([]);
    },
  );

  it('replaces variables as Compose does', () => {
    const variables = { SET: 'value', EMPTY: '' };
    const cases = {
      $$SET: '$SET',
      '${SET}': 'value',
      '${SET:-default}': 'value',
      '${EMPTY:-default}': 'default',
      '${MISSING:-}': '',
      '${SET:+other}': 'other',
      '${EMPTY:+other}': '',
    };
    for (const [text, expected] of Object.entries(cases)) {
      expect(replaceVariables(text, variables), text).toBe(expected);
    }
    expect(() => replaceVariables(REQUIRED, variables)).toThrow('MISSING is needed');
  });
});
