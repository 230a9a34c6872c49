/** The container form on real parts: what the Dockerfile copies, run as docker-compose.yml says. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { enrolmentDtoSchema, type RunnerDto, runnerDtoSchema } from '@/lib/fleet/schema';
import type { ChainDetail } from '@/lib/insight/chains/schema';
import { pageSchema } from '@/lib/platform/http/cursor';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import { LEASE_SECONDS } from '@/lib/protocol/schema';
import { eventually } from '../bootstrap/eventually';
import { environmentsOf, familyOf, userOf } from '../support/containers/process-facts';
import { type MessagesApi, startMessagesApi } from '../support/messages-api/messages-api';
import { callBash, hang, reportBack } from '../support/messages-api/reply';
import { foundAccount } from '../support/system/account';
import { type ApiClient, apiClient } from '../support/system/api-client';
import { type BrokenService, startBrokenService } from '../support/system/broken-service';
import {
  chainWhere,
  createProject,
  readChain,
  runChain,
  sessionsOf,
  startChain,
} from '../support/system/chain-run';
import { askingForHelp, byTier, report } from '../support/system/tier-script';
import { missingProgram, type Stack, startStack } from './support/stack';

/** The version that the image contains. */
const cli = inject('clis').find(({ version }) => version === '2.1.330');
const RESTART = 'docker restart web';
const PLAYBOOK = 'ansible-playbook site.yml';

describe.skipIf(missingProgram() !== null || cli?.problem !== null)('the container form', () => {
  let model: MessagesApi;
  let service: BrokenService;
  let stack: Stack;
  let api: ApiClient;

  beforeAll(async () => {
    model = await startMessagesApi({ script: [] });
    const variables = { ANTHROPIC_BASE_URL: model.url };
    stack = await startStack(inject('images'), { variables, claude: cli?.binary ?? '' });
    stack.start('web');
    stack.start('worker');
    await stack.ready();
    process.env.TIERWATCH_APP_DATABASE_URL = stack.loginUrls.appUrl;
    process.env.TIERWATCH_SYSTEM_DATABASE_URL = stack.loginUrls.systemUrl;
    process.env.TIERWATCH_SECRET_KEY = stack.secrets.secret_key;
    api = apiClient(stack.url, (await foundAccount()).token);
    service = await startBrokenService(path.join(stack.folder, 'service'));
  });
  afterAll(async () => {
    const { disconnectClients } = await import('@/lib/platform/db/clients');
    await disconnectClients();
    await stack?.close();
    await service?.close();
    await model?.close();
  });

  it('[FLT-1.1] sends every security header', async () => {
    const answer = await fetch(`${stack.url}/sign-in`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-security-policy': expect.stringContaining('nonce-'),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
  });

  it('[FLT-1.1] sends them with the answers of the API of runners too', async () => {
    const own = `req_${'a'.repeat(22)}`;
    const headers = { 'x-request-id': own };
    const answer = await fetch(`${stack.url}/api/runner/v1/heartbeat`, { method: 'POST', headers });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('x-request-id')).toMatch(/^req_\w{22}$/);
    expect(answer.headers.get('x-request-id'), 'what the client sends').not.toBe(own);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
  });

  it('[FLT-1.1] records that the runner API is there', async () => {
    const rows = await stack.ask("select name from process_heartbeat where name = 'runner-api'");
    expect(rows).toHaveLength(1);
  });

  it('[FLT-1.2] runs nothing as root', () => {
    const mine = process.getuid?.();
    for (const [name, container] of stack.containers) {
      for (const pid of familyOf(container.pid())) {
        expect(userOf(pid), `${name}, process ${pid}`).not.toBe(0);
      }
    }
    if (mine === 0) expect(stack.host.account?.uid).toBeGreaterThan(0);
  });

  it('[SEC-4.1] web and worker never hold the login that owns the tables', () => {
    const { database_password = '', postgres_password = '' } = stack.secrets;
    for (const name of ['web', 'worker']) {
      const environment = environmentsOf(stack.containers.get(name)?.pid() ?? 0);
      expect(environment).toContain('tierwatch_app:');
      expect(environment).not.toContain('tierwatch_owner');
      for (const secret of [
        database_password,
        encodeURIComponent(database_password),
        postgres_password,
      ]) {
        expect(environment).not.toContain(secret);
      }
    }
  });

  describe.each(['runner', 'queue-runner'])('with %s', (name) => {
    let chain: ChainDetail;

    beforeAll(async () => {
      await enrol(name);
      // As of an operator whose PATH names folders that the image's account may not look into.
      stack.start(name, { PATH: `${closedFolder()}:${service.binDir}:${process.env.PATH}` });
      await eventually(
        'the runner is online',
        async () => (await runnerNamed(name))?.status === 'online',
        120_000,
      );
      service.breakAgain();
      service.addProgram('docker');
      service.addProgram('ansible-playbook', { repairs: true });
      letEveryoneWrite();
      model.setScript(threeTiers());
      const project = await createProject(api, projectOf(name));
      chain = await runChain(api, project.id);
    });

    it('[FLT-1.2] runs a chain of three tiers to its end', async () => {
      expect(chain).toMatchObject({ status: 'ended', outcome: 'fixed', highestTier: 3 });
      const sessions = await sessionsOf(api, chain);
      expect(sessions.map(({ mechanism }) => mechanism)).toEqual(['fresh', 'resume', 'resume']);
    });

    it('[FLT-1.2] takes its work where docker-compose.yml says', async () => {
      const door = name === 'runner' ? 'https' : 'queue';
      expect(await runnerNamed(name)).toMatchObject({ capabilities: { door } });
      const environment = environmentsOf(stack.containers.get(name)?.pid() ?? 0);
      const { secret_key, redis_password, database_password, runner_queue_password } =
        stack.secrets;
      for (const secret of [secret_key, redis_password, database_password].map(String)) {
        expect(environment).not.toContain(secret);
        expect(environment).not.toContain(encodeURIComponent(secret));
      }
      expect(environment.includes(encodeURIComponent(runner_queue_password ?? ''))).toBe(
        name === 'queue-runner',
      );
      expect(environment).not.toContain('postgresql://');
    });
  });

  it.each([
    ['names of other keys', ['SCAN', '0']],
    ['a job of the control plane', ['HGETALL', 'bullmq:control:1']],
    ['the wake-ups of the control plane', ['LPUSH', 'bullmq:control:wait', 'forged']],
    ['a key hidden in a script', ['EVAL', 'return redis.call("get", "bullmq:control:id")', '0']],
    ['the settings', ['CONFIG', 'GET', 'requirepass']],
    ['the logins', ['ACL', 'LIST']],
    ['what others do', ['MONITOR']],
    ['all data', ['FLUSHALL']],
  ])('[FLT-1.2] the queue login that migrate made doesn’t reach %s', async (_what, command) => {
    const redis = await queueLogin();
    const [name = '', ...args] = command;
    await expect(redis.call(name, ...args)).rejects.toThrow(/NOPERM|can't access|No permissions/);
    expect(await redis.exists('bullmq_runner:anything')).toBe(0);
    redis.disconnect();
  });

  it('[FLT-1.2] has the queue login again after Redis was killed', async () => {
    await stack.containers.get('redis')?.stop('SIGKILL');
    await stack.startRedis();
    await eventually('the login works', async () => {
      const redis = await queueLogin().catch(() => null);
      redis?.disconnect();
      return redis !== null;
    });
    await stack.ready();
  });

  it('[FLT-1.1] ends the attempt of a runner that was killed', async () => {
    model.setScript([hang()]);
    const before = model.requests.length;
    const project = await createProject(api, projectOf('runner'));
    const { id } = await startChain(api, project.id);
    await model.waitForRequests(before + 1);
    for (const pid of familyOf(stack.containers.get('runner')?.pid() ?? 0).reverse()) {
      process.kill(pid, 'SIGKILL');
    }
    const passed = `interval '${2 * LEASE_SECONDS} seconds'`;
    await stack.ask(`update attempt set lease_expires_at = lease_expires_at - ${passed}
      where status in ('claimed', 'running', 'stopping')`);
    await stack.ask(`update process_heartbeat set continuous_since = continuous_since - ${passed}`);
    await chainWhere(api, id, 'waits for another runner', ({ status }) => status === 'waiting');
    const [session] = await sessionsOf(api, await readChain(api, id));
    expect(session?.attempts[0]?.exit?.kind).toBe('lost');
  });

  it('[FLT-1.1] refuses to start on a database that doesn’t keep tenants apart', async () => {
    await stack.containers.get('web')?.stop();
    await stack.ask('alter table project no force row level security');
    const refused = stack.start('web');
    await refused.ended;
    const said = refused.output().slice(-4_000);
    expect(said).toContain('startup refused');
    expect(said).toContain('Row-level security does not keep tenants apart');
    await expect(fetch(`${stack.url}/healthz`)).rejects.toThrow();
    await stack.ask('alter table project force row level security');
    stack.start('web');
    await stack.ready();
  });

  it('[FLT-1.2] shows no secret in a list of processes', () => {
    expect(stack.notedArguments()).toMatch(/^psql .*\nredis-server /);
    for (const secret of Object.values(stack.secrets)) {
      expect(stack.notedArguments()).not.toContain(secret);
    }
    expect(stack.leaks()).toEqual([]);
  });

  /** By the command of docs/deployment.md: the key stays in the service's volume. */
  async function enrol(name: string): Promise<void> {
    const { token } = await api.post('runners', { pool: name }, enrolmentDtoSchema);
    const words = 'dist/tierwatch.mjs runner enrol --url http://web:3000 --name';
    await stack.host.run(name, { command: ['node', ...words.split(' '), name, '--token', token] });
  }

  async function runnerNamed(name: string): Promise<RunnerDto | undefined> {
    const { data } = await api.get('runners', pageSchema(runnerDtoSchema));
    return data.find((runner) => runner.name === name);
  }

  async function queueLogin(): Promise<Redis> {
    const redis = new Redis({
      port: stack.redisPort,
      username: 'tierwatch_runner',
      password: stack.secrets.runner_queue_password,
      lazyConnect: true,
      retryStrategy: () => null,
    });
    redis.on('error', () => {});
    await redis.connect();
    return redis;
  }

  /** The agents run as another account than this process. */
  function letEveryoneWrite(): void {
    const { account } = stack.host;
    if (account) service.giveTo(account);
  }

  function closedFolder(): string {
    const folder = path.join(stack.folder, 'closed');
    mkdirSync(folder, { recursive: true, mode: 0 });
    return folder;
  }

  let projects = 0;
  function projectOf(pool: string): Parameters<typeof createProject>[1] {
    projects += 1;
    return {
      name: `Project ${projects}`,
      slug: `project-${projects}`,
      harness: 'claude',
      isolation: 'open',
      services: [
        { name: 'web', checks: [{ type: 'http', target: service.url, timeoutSeconds: 5 }] },
      ],
      schedule: { kind: 'manual', timeZone: 'UTC' },
      tiers: DEFAULT_TIERS.map((tier) => ({
        ...tier,
        allowedTools: tier.allowedTools.map((rule) => rule.replaceAll('{service}', 'web')),
        prompt: null,
        isEnabled: true,
      })),
      maxTier: 3,
      dryRun: false,
      runnerPool: pool,
    };
  }
});

function threeTiers() {
  const redeployed = {
    service: 'web',
    action: 'other',
    command: PLAYBOOK,
    outcome: 'up',
  } as const;
  return byTier({
    1: [reportBack(askingForHelp())],
    2: [callBash(RESTART), reportBack(askingForHelp({ resolved: false }))],
    3: [callBash(PLAYBOOK), reportBack(report({ actions_taken: [redeployed], resolved: true }))],
  });
}
