import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { AGENT_NAMES } from '@/lib/protocol/agent-names';
import { FLUSH_MS } from '@/lib/telemetry/open-telemetry';
import { readAddress } from '@/scripts/bootstrap/address.mjs';
import { readAgentVariables } from '@/scripts/bootstrap/agent-variables.mjs';
import { countFailure, restartDelayMs } from '@/scripts/bootstrap/back-off.mjs';
import { requireUsableUrl, roleUrl } from '@/scripts/bootstrap/database-urls.mjs';
import { processEnvironments, withoutSecrets } from '@/scripts/bootstrap/environment.mjs';
import { isInstalled } from '@/scripts/bootstrap/install.mjs';
import { takeLock } from '@/scripts/bootstrap/lock.mjs';
import { isNodeSupported } from '@/scripts/bootstrap/node-version.mjs';
import { scramVerifier } from '@/scripts/bootstrap/scram.mjs';
import { readOrMakeSecretKey } from '@/scripts/bootstrap/secret-key.mjs';
import { serviceSpecs } from '@/scripts/bootstrap/services.mjs';
import { hashFiles } from '@/scripts/bootstrap/stamps.mjs';
import { completePackages, platformOf } from '@/scripts/complete-lock.mjs';

const folder = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-parts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('Node', () => {
  it.each([
    ['20.18.3', false],
    ['20.19.0', true],
    ['21.7.0', false],
    ['22.11.0', false],
    ['22.12.0', true],
    ['23.5.0', false],
    ['24.0.0', true],
    ['26.1.0', true],
  ])('%s: %s', (version, isSupported) => expect(isNodeSupported(version)).toBe(isSupported));
});

describe('the address', () => {
  it('is loopback by default', () =>
    expect(readAddress({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      localUrl: 'http://127.0.0.1:3000',
      publicUrl: 'http://127.0.0.1:3000',
    }));
  it('is reached on loopback when it listens everywhere', () =>
    expect(readAddress({ HOST: '0.0.0.0', PORT: '80' }).localUrl).toBe('http://127.0.0.1:80'));
  it.each(['0', '70000', 'web'])('refuses port %s', (port) =>
    expect(() => readAddress({ PORT: port })).toThrow(`PORT=${port} is not a port`),
  );
});

describe('back-off', () => {
  it('doubles up to half a minute', () =>
    expect([1, 2, 3, 7, 50].map(restartDelayMs)).toEqual([500, 1000, 2000, 30_000, 30_000]));
  it('restarts after a minute of life', () => {
    expect(countFailure(4, 59_000)).toBe(5);
    expect(countFailure(4, 60_000)).toBe(1);
  });
});

describe('the environment of each process', () => {
  const given = {
    PATH: '/bin',
    DATABASE_URL: 'postgresql://owner:x@db/tierwatch',
    REDIS_URL: 'redis://control:x@redis',
    TIERWATCH_SECRET_KEY: 'given',
    SMTP_URL: 'smtp://x',
    ANTHROPIC_API_KEY: 'sk',
    CLAUDE_BIN: '/opt/claude',
    KUBECONFIG: '/k',
    OTHER: 'x',
    TIERWATCH_RUNNER_PASS_ENV: 'KUBECONFIG',
    TIERWATCH_RUNNER_CONCURRENCY: '2',
    npm_config_token: 'x',
  };
  const facts = {
    dataDir: '/data',
    runnerDir: '/state/runner',
    host: '127.0.0.1',
    port: 3000,
    localUrl: 'http://127.0.0.1:3000',
    publicUrl: 'https://tierwatch.example.com',
    secretKey: 'key',
    appUrl: 'postgresql://app@db/tierwatch',
    systemUrl: 'postgresql://system@db/tierwatch',
    runnerQueueUrl: 'postgresql://runner@db/tierwatch',
  };
  const { web, worker, runner, demoService } = processEnvironments(given, facts);

  it.each([
    ['web', web],
    ['worker', worker],
    ['runner', runner],
    ['demo service', demoService],
  ])('%s never gets the owner’s login', (_, env) =>
    expect(JSON.stringify(env)).not.toContain('owner:x'),
  );
  it('the control plane gets its two logins and not the agent’s key', () => {
    expect(web).toMatchObject({
      TIERWATCH_APP_DATABASE_URL: facts.appUrl,
      TIERWATCH_SYSTEM_DATABASE_URL: facts.systemUrl,
      TIERWATCH_SECRET_KEY: 'key',
      REDIS_URL: given.REDIS_URL,
    });
    expect(worker).not.toHaveProperty('ANTHROPIC_API_KEY');
    expect(worker).not.toHaveProperty('npm_config_token');
  });
  it('[INC-4.2] telemetry is the control plane’s, and web then has time to export its last', () => {
    const headers = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=x', TIERWATCH_METRICS_TOKEN: 't' };
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
    const withEndpoint = processEnvironments({ ...given, ...headers, ...endpoint }, facts);
    expect(withEndpoint.web).toMatchObject({ ...headers, NEXT_MANUAL_SIG_HANDLE: '1' });
    expect(withEndpoint.worker).toMatchObject(headers);
    for (const name of Object.keys({ ...headers, ...endpoint })) {
      expect(withEndpoint.runner).not.toHaveProperty(name);
      expect(withEndpoint.demoService).not.toHaveProperty(name);
      expect(withoutSecrets({ ...headers, ...endpoint })).not.toHaveProperty(name);
    }
    expect(web).not.toHaveProperty('NEXT_MANUAL_SIG_HANDLE');
    const stopMs = (environments: typeof withEndpoint) =>
      serviceSpecs(environments, facts).find(({ part }) => part === 'web')?.stopTimeoutMs;
    expect(stopMs(withEndpoint)).toBeGreaterThan(FLUSH_MS);
    expect(stopMs({ ...withEndpoint, web: web as typeof withEndpoint.web })).toBeLessThan(FLUSH_MS);
  });
  it('[SAS-3.1] the runner gets its own queue login, what the agent needs, and no more', () =>
    expect(runner).toEqual({
      PATH: '/bin',
      ANTHROPIC_API_KEY: 'sk',
      CLAUDE_BIN: '/opt/claude',
      KUBECONFIG: '/k',
      TIERWATCH_RUNNER_PASS_ENV: 'KUBECONFIG',
      TIERWATCH_RUNNER_CONCURRENCY: '2',
      TIERWATCH_URL: facts.localUrl,
      TIERWATCH_RUNNER_DIR: '/state/runner',
      TIERWATCH_RUNNER_HIDE: '/data',
      TIERWATCH_DEMO_BIN: path.join('/data', 'demo', 'bin'),
      TIERWATCH_RUNNER_QUEUE_URL: facts.runnerQueueUrl,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
    }));
  it('[ENG-1.2] every agent says which variables are its own', () => {
    for (const name of AGENT_NAMES) {
      const file = path.join('lib', 'agents', name, 'environment.json');
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
        credentials: expect.any(Array),
        others: expect.any(Array),
      });
    }
  });
  it('[ENG-1.2] the keys of another agent are the runner’s alone, and what is no key stays', () => {
    const agents = readAgentVariables('tests/support/third-agent');
    const own = { PARROT_KEY: 'pk', PARROT_LOGIN_TOKEN: 'pt', PARROT_BIN: '/opt/parrot' };
    const of = processEnvironments({ ...given, ...own }, facts, agents);
    expect(of.runner).toMatchObject(own);
    expect(of.runner).not.toHaveProperty('ANTHROPIC_API_KEY');
    expect(of.web).toHaveProperty('PARROT_BIN');
    for (const env of [of.web, of.worker, of.demoService, withoutSecrets(own, agents)]) {
      expect(Object.keys(env)).not.toContain('PARROT_KEY');
      expect(Object.keys(env)).not.toContain('PARROT_LOGIN_TOKEN');
    }
  });
  it('[ENG-1.2] a build has no agent’s keys', () => {
    const env = { PATH: '/bin', ANTHROPIC_API_KEY: 'sk', CLAUDE_CODE_OAUTH_TOKEN: 'o' };
    expect(withoutSecrets(env)).toEqual({ PATH: '/bin' });
  });
  it('on Redis the runner gets its limited login, not the control plane’s', () => {
    const limited = { ...facts, runnerQueueUrl: 'redis://limited:x@redis' };
    const onRedis = processEnvironments(given, limited).runner;
    expect(onRedis).toHaveProperty('REDIS_URL', limited.runnerQueueUrl);
    expect(onRedis).not.toHaveProperty('TIERWATCH_RUNNER_QUEUE_URL');
  });
});

describe('locks', () => {
  it('are held by one process, and given up by release', () => {
    const file = path.join(folder, 'a.lock');
    const first = takeLock(file);
    expect(first).toHaveProperty('release');
    expect(takeLock(file)).toEqual({ heldBy: process.pid });
    if ('release' in first) first.release();
    expect(takeLock(file)).toHaveProperty('release');
  });
  it('of a dead process, or of an earlier one with the same pid, count for nothing', () => {
    const file = path.join(folder, 'b.lock');
    writeFileSync(file, JSON.stringify({ pid: process.pid, mark: 'another start' }));
    expect(takeLock(file)).toHaveProperty('release');
    writeFileSync(file, 'half a li');
    expect(takeLock(file)).toHaveProperty('release');
  });
});

describe('the secret key', () => {
  it('is made once, for the embedded database', () => {
    const made = readOrMakeSecretKey(folder, {});
    expect(made.length).toBeGreaterThan(32);
    expect(readOrMakeSecretKey(folder, {})).toBe(made);
  });
  it('[FLT-3.3] is made again where a full disk left it empty, but not once a database needs it', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-key-'));
    const file = path.join(folder, 'secret-key');
    writeFileSync(file, '');
    const made = readOrMakeSecretKey(folder, {});
    expect(made.length).toBeGreaterThanOrEqual(32);
    expect(readOrMakeSecretKey(folder, {})).toBe(made);
    mkdirSync(path.join(folder, 'postgres', 'data'), { recursive: true });
    writeFileSync(file, made.slice(0, 10));
    expect(() => readOrMakeSecretKey(folder, {})).toThrow(`${file} is empty or damaged.`);
    rmSync(folder, { recursive: true });
  });

  it('is required with a database of one’s own', () =>
    expect(() => readOrMakeSecretKey(folder, { DATABASE_URL: 'postgresql://x' })).toThrow(
      'TIERWATCH_SECRET_KEY is not set',
    ));
  it('is refused when short', () =>
    expect(() => readOrMakeSecretKey(folder, { TIERWATCH_SECRET_KEY: 'short' })).toThrow('32'));
});

describe('database addresses', () => {
  it('keep everything but the login', () =>
    expect(roleUrl('postgresql://o:p@db:5433/tw?sslmode=require', 'tierwatch_app', 'k')).toMatch(
      /^postgresql:\/\/tierwatch_app:[\w-]{43}@db:5433\/tw\?sslmode=require$/,
    ));
  it('refuse options, which would replace the queue’s', () =>
    expect(() => requireUsableUrl('DATABASE_URL', 'postgresql://db/x?options=-c%20a')).toThrow(
      'DATABASE_URL contains "options=…"',
    ));
});

it('a password is sent as PostgreSQL stores it', () =>
  // The example of RFC 7677: user "user", password "pencil".
  expect(scramVerifier('pencil', Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64'))).toBe(
    'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
  ));

describe('the lock file', () => {
  it('names the platforms a registry left out', () => {
    const packages = {
      '': {},
      'node_modules/tool': {
        version: '1.0.0',
        optionalDependencies: { '@tool/linux-x64': '1.0.0', '@tool/win32-arm64-msvc': '1.0.0' },
      },
      'node_modules/@tool/linux-x64': { version: '1.0.0', optional: true },
    };
    const { packages: complete, added } = completePackages(packages);
    expect(added).toEqual(['@tool/win32-arm64-msvc@1.0.0']);
    expect(complete).toHaveProperty(['node_modules/@tool/win32-arm64-msvc'], {
      version: '1.0.0',
      cpu: ['arm64'],
      optional: true,
      os: ['win32'],
    });
    expect(completePackages(complete).added).toEqual([]);
  });
  it('knows a platform by its package’s name', () => {
    expect(platformOf('@x/linux-arm-gnueabihf')).toEqual({ os: ['linux'], cpu: ['arm'] });
    expect(platformOf('@x/windows-x64')).toEqual({ os: ['win32'], cpu: ['x64'] });
    expect(platformOf('@x/wasm32-wasi')).toEqual({ os: ['wasi'], cpu: ['wasm32'] });
  });
  it('tells whether what is installed is what it asks for', () => {
    const wanted = { '': {}, a: { version: '1' }, b: { version: '1', optional: true } };
    expect(isInstalled(wanted, { a: { version: '1' } })).toBe(true);
    expect(isInstalled(wanted, { a: { version: '2' } })).toBe(false);
    expect(isInstalled(wanted, { a: { version: '1' }, b: { version: '2' } })).toBe(false);
  });
});

it('a build is made again when a source changes, appears or goes, and not for a test', () => {
  const sources = path.join(folder, 'app');
  mkdirSync(sources);
  const write = (name: string, text: string) => writeFileSync(path.join(sources, name), text);
  const hash = () => hashFiles(folder, ['app', 'next.config.ts']);
  write('page.ts', 'one');
  const before = hash();
  write('page.test.ts', 'x');
  expect(hash()).toBe(before);
  write('page.ts', 'two');
  expect(hash()).not.toBe(before);
  write('page.ts', 'one');
  expect(hash()).toBe(before);
  write('other.ts', '');
  expect(hash()).not.toBe(before);
  rmSync(path.join(sources, 'other.ts'));
  writeFileSync(path.join(folder, 'next.config.ts'), '');
  expect(hash()).not.toBe(before);
});
