import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { stopChain } from '@/lib/engine/chains/stop-chain';
import { appendSessionEvents } from '@/lib/engine/events/data';
import { readReset } from '@/lib/identity/auth/password-resets';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids';
import { liveHub } from '@/lib/platform/live/hub';
import { databaseEnvironment, useTestDatabase } from '@/tests/support/database';
import { runHere, startCommand } from './support/command-line';
import { type ApiServer, startApiServer } from './support/server';
import { makeTenant, type Tenant } from './support/tenant';
import { type SeededChain, seedThreeTierChain } from './support/three-tier-chain';

const database = useTestDatabase();

let server: ApiServer;
let tenant: Tenant;
let chain: SeededChain;
let environment: Record<string, string>;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'tierwatch-cli-'));
  server = await startApiServer();
  tenant = await makeTenant('Acme');
  chain = await seedThreeTierChain(tenant);
  const made = await startCommand(
    ['token', 'create', '--organization', tenant.slug, '--scopes', 'all', '--expires', '30d'],
    databaseEnvironment(database),
  ).ended;
  expect(made.stderr).toBe('');
  environment = { TIERWATCH_URL: server.url, TIERWATCH_TOKEN: made.stdout.trim() };
});
afterAll(async () => {
  await server.close();
  await liveHub().close();
  await rm(folder, { recursive: true, force: true });
});

const run = (...args: string[]) => runHere(args, environment).ended;

async function json(...args: string[]) {
  const { stdout, stderr, code } = await run(...args, '--json');
  return { code, stderr, value: JSON.parse(stdout) };
}

async function projectFile(text: string): Promise<string> {
  const file = path.join(folder, 'project.yaml');
  await writeFile(file, text);
  return file;
}

describe('user reset-link', () => {
  it('prints a link that works once, and an unknown address by name', async () => {
    const email = tenant.scope.actor.label;
    const local = databaseEnvironment(database);
    const made = await startCommand(['user', 'reset-link', email], local).ended;
    const token = /\/reset\/(rst_[0-9A-Za-z]{49})$/.exec(made.stdout.trim())?.[1] ?? '';
    expect(await readReset(token)).toEqual({ email });
    const unknown = await startCommand(['user', 'reset-link', 'nobody@example.com'], local).ended;
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toContain('nobody@example.com');
  });
});

describe('token create', () => {
  it('prints the token alone, and a wrong organization or scope by name', async () => {
    expect(environment.TIERWATCH_TOKEN).toMatch(/^twk_[0-9A-Za-z]{49}$/);
    const base = ['token', 'create', '--scopes', 'all', '--organization'];
    const local = databaseEnvironment(database);
    const unknown = await startCommand([...base, 'nobody'], local).ended;
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toContain('There is no organization nobody.');
    const scope = ['token', 'create', '--organization', tenant.slug, '--scopes', 'everything'];
    expect(await startCommand(scope, local).ended).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('project apply and diff', () => {
  it('create, show the difference with code 3, change, and then agree with code 0', async () => {
    const file = await projectFile('name: Depot\nservices: []\nbudgets: { dayUsd: 3 }\n');
    expect(await run('project', 'diff', '-f', file)).toMatchObject({ code: 3 });
    expect(await run('project', 'apply', '-f', file)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Created Depot (depot, prj_'),
    });
    expect(await run('project', 'diff', '-f', file)).toMatchObject({ code: 0 });
    await projectFile('name: Depot\nmaxTier: 2\n');
    const diff = await json('project', 'diff', '-f', file);
    expect(diff).toMatchObject({
      code: 3,
      value: {
        exists: true,
        changes: [
          { path: 'tiers.1.isEnabled', before: false, after: true },
          { path: 'maxTier', before: 1, after: 2 },
        ],
        policy: { days: 30, tiers: [{ tier: 2, commands: 0, isCut: false }], groups: [] },
      },
    });
    const applied = await run('project', 'apply', '-f', file);
    expect(applied.stdout).toContain('Saved Depot as v2');
    expect(applied.stdout).toContain('maxTier: 1 → 2');
    expect(await run('project', 'apply', '-f', file)).toMatchObject({
      stdout: expect.stringContaining('already matches the file'),
    });
  });

  it('[HLD-3.5] say which rules allow nothing, and which a save makes wider', async () => {
    const fileWith = (...checks: string[]) =>
      projectFile(
        [
          'name: Reaching',
          'services:',
          '  - name: orders',
          `    checks: [${checks.join(', ')}]`,
          'tiers: [{ tier: 1, allowedTools: ["Bash(docker restart {service})"] }]',
          '',
        ].join('\n'),
      );
    const tcp = '{ type: tcp, target: "127.0.0.1:1" }';
    const container = (target: string) => `{ type: container, target: ${target} }`;
    const empty =
      'Tier 1: Bash(docker restart {service}) allows nothing: no check of the type container names what it acts on.';
    const first = await fileWith(tcp);
    expect((await json('project', 'diff', first)).value).toMatchObject({ warnings: [empty] });
    expect((await run('project', 'apply', first)).stdout).toContain(`Warning: ${empty}`);
    await run('project', 'apply', await fileWith(tcp, container('shop-orders-1')));
    const wider = await fileWith(tcp, container('shop-orders-1'), container('shop-orders-2'));
    const more =
      'Tier 1: Bash(docker restart {service}) now also allows docker restart shop-orders-2.';
    expect((await run('project', 'diff', wider)).stdout).toContain(`Warning: ${more}`);
    const { value } = await json('project', 'apply', wider);
    expect(value).toMatchObject({ project: { warnings: [more] } });
    const again = await run('project', 'apply', await fileWith(tcp));
    expect(again.stdout).toContain(`Warning: ${empty}`);
  });

  it('[SAS-2.1] export what apply takes: of the same project, diff finds nothing', async () => {
    const services =
      '[{name: db, checks: [{type: database, target: "postgres://a:hunter22@db/x"}]}]';
    await run('project', 'apply', await projectFile(`name: Exported\nservices: ${services}\n`));
    const out = path.join(folder, 'exported.yaml');
    expect(await run('project', 'export', 'exported', '-o', out)).toMatchObject({ code: 0 });
    const { stdout } = await run('project', 'export', 'exported');
    expect(stdout).toContain('everySeconds: 43200 # seconds');
    expect(stdout).not.toContain('hunter22');
    expect(await run('project', 'diff', out)).toMatchObject({
      code: 0,
      stdout: 'No differences.\n',
    });
    expect((await run('project', 'apply', out)).stdout).toContain('already matches the file');
    const { value: kept } = await json('project', 'apply', out);
    expect(kept.project.services[0].checks[0].target).toBe('postgres://a:hunter22@db/x');
    expect(await run('project', 'export', 'nobody')).toMatchObject({ code: 1, stdout: '' });
  });

  it('refuse an unknown key with its line and the nearest known one', async () => {
    const file = await projectFile('name: Typo\nschedule:\n  kind: interval\n  everySecond: 60\n');
    const refused = await run('project', 'apply', file);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(
      'line 4, schedule.everySecond: Unknown field everySecond. Did you mean everySeconds?',
    );
    expect(await run('project', 'diff')).toMatchObject({ code: 2 });
  });

  it('name what is wrong in the file, with code 2, and send nothing', async () => {
    const file = await projectFile('name: Broken\ntiers: [{ tier: 1, maxTurns: 0 }]\n');
    const refused = await run('project', 'apply', '-f', file);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('tiers.0.maxTurns: Enter 1 to 500 turns.');
    expect(await run('project', 'apply', '-f', '/nowhere.yaml')).toMatchObject({ code: 2 });
  });
});

describe('chain and session', () => {
  it('show prints the tiers with their costs and the total', async () => {
    const shown = await run('chain', 'show', chain.chainId);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain('Session #19, tier 2, sonnet, escalated, resumed');
    expect(shown.stdout).toMatch(/\$0\.03[\s\S]*\$0\.47[\s\S]*\$2\.00[\s\S]*total \$2\.50/);
    expect(await run('chain', 'show', 'chn_none')).toMatchObject({ code: 1, stdout: '' });
  });

  it('session log prints every event once', async () => {
    const log = await run('session', 'log', chain.sessionIds[0]);
    const lines = Array.from({ length: 25 }, (_, at) => `line ${at + 1}`);
    expect(log.stdout.trim().split('\n')).toEqual(lines);
  });

  it('session checkpoints prints what a session knew', async () => {
    const [first = ''] = chain.sessionIds;
    const { stdout, code } = await run('session', 'checkpoints', first);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^#18\.1 \S+Z session end, 1 prompt, 1 result\n {2}Shop, tier 1\n$/);
    const { value } = await json('session', 'checkpoints', first);
    expect(value).toMatchObject([{ session: { id: first }, queries: ['refused'] }]);
  });

  it('[CKP-3.4] session checkpoint asks for one, and says why it cannot', async () => {
    const [first = ''] = chain.sessionIds;
    const refused = await run('session', 'checkpoint', first);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('Session #18 has ended.');
  });

  it.each([
    ['chain run', [], false],
    ['chain run --fresh', ['--fresh'], true],
  ])('[ENG-3.2] %s asks for a fresh start: %s', async (_title, flags, forceFresh) => {
    const name = forceFresh ? 'forced' : 'unforced';
    await run('project', 'apply', '-f', await projectFile(`name: ${name}\n`));
    const { value } = await json('chain', 'run', name, ...flags);
    expect(value).toMatchObject({ forceFresh });
    await stopChain(tenant.scope, requireId('chn', value.id));
  });

  it('tail follows through a cut connection without a gap or a repeat, then gives code 4', async () => {
    await run('project', 'apply', '-f', await projectFile('name: Tailed\n'));
    const { value: started } = await json('chain', 'run', 'tailed');
    const sessionId = requireId('ses', started.sessions[0].id);
    const say = (...words: string[]) =>
      inTransaction(tenant.scope, async (db) =>
        appendSessionEvents(
          db,
          sessionId,
          words.map((text) => ({
            attemptId: null,
            attemptSeq: null,
            kind: 'text',
            at: new Date(),
            payload: { kind: 'text', text },
          })),
        ),
      );
    const tail = startCommand(['chain', 'tail', started.id], environment);
    const seen = (text: string) =>
      vi.waitFor(() => expect(tail.output()).toContain(text), { timeout: 60_000, interval: 50 });
    await say('one', 'two');
    await seen('two\n');
    server.cutConnections();
    await say('three');
    await seen('three\n');
    await say('four \u001b[2J');
    await stopChain(tenant.scope, requireId('chn', started.id));
    const ended = await tail.ended;
    expect(ended.code).toBe(4);
    const lines = ended.stdout.split('\n').filter((line) => /^(one|two|three|four)/.test(line));
    expect(lines).toEqual(['one', 'two', 'three', 'four ␛[2J']);
    expect(ended.stdout).toContain('stopped');
  });

  it('run --wait ends with the chain: 0 when it is healthy', async () => {
    await run('project', 'apply', '-f', await projectFile('name: Waited\n'));
    const waiting = runHere(['chain', 'run', 'waited', '--wait', '--json'], environment);
    const live = await vi.waitFor(
      async () => {
        const found = await inTransaction(tenant.scope, (db) =>
          db.chain.findFirst({ where: { project: { slug: 'waited' } } }),
        );
        if (!found) throw new Error('It has not started yet.');
        return found;
      },
      { timeout: 60_000, interval: 50 },
    );
    const second = await run('chain', 'run', 'waited');
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toContain('still running');
    await inTransaction(tenant.scope, async (db) => {
      const endedAt = new Date();
      const where = { chainId: live.id };
      await db.session.updateMany({ where, data: { status: 'completed', endedAt } });
      await db.chain.updateMany({
        where: { id: live.id },
        data: { status: 'ended', outcome: 'healthy', endedAt },
      });
    });
    const ended = await waiting.ended;
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({ number: 1, outcome: 'healthy' });
  });
});

describe('audit verify and usage', () => {
  it('[SEC-4.2] says unknown without a checkpoint, intact with one, and code 5 once its tail is cut', async () => {
    const unknown = await run('audit', 'verify');
    expect(unknown).toMatchObject({ code: 7 });
    expect(unknown.stdout).toContain('Whether the audit log is intact is unknown');
    expect(await run('audit', 'verify')).toMatchObject({ code: 0 });
    const { Client } = (await import('pg')).default;
    const owner = new Client({ connectionString: database.superuserUrl });
    await owner.connect();
    await owner.query(
      `delete from audit_log where organization_id = $1
         and seq = (select max(seq) from audit_log where organization_id = $1)`,
      [tenant.organizationId],
    );
    await owner.end();
    expect(await json('audit', 'verify')).toMatchObject({
      code: 5,
      value: { isIntact: false, headMatches: false },
    });
  });

  it('ends with 2 on wrong usage and 1 when the server is unreachable', async () => {
    expect(await run('chain', 'run')).toMatchObject({ code: 2, stdout: '' });
    expect(await run('nonsense')).toMatchObject({ code: 2 });
    const nowhere = await run('chain', 'show', 'chn_x', '--url', 'http://127.0.0.1:1');
    expect(nowhere.code).toBe(1);
    expect(nowhere.stderr).toContain('is unreachable');
  });
});
