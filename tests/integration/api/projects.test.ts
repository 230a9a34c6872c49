import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertRunner } from '@/lib/fleet/data';
import { createApiToken } from '@/lib/identity/api-tokens/service';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { decodeId } from '@/lib/platform/ids';
import { ensurePool } from '@/lib/projects/project-rows';
import { useTestDatabase } from '@/tests/support/database';
import { type Json, openTenantApi, type TenantApi } from './support/client';
import { makeTenant, type Tenant } from './support/tenant';

useTestDatabase();

let api: TenantApi['api'];
let ok: TenantApi['ok'];
let tenant: Tenant;
beforeAll(async () => {
  tenant = await makeTenant();
  ({ api, ok } = await openTenantApi(tenant));
});

describe('projects', () => {
  it('are created from a name alone, observing only', async () => {
    const { warnings, ...project } = await ok('POST', 'projects', { body: { name: 'Plain one' } });
    expect(warnings).toEqual([]);
    expect(project).toMatchObject({ slug: 'plain-one', maxTier: 1, version: 1, serviceStates: [] });
    expect((project.tiers as Json[]).map((tier) => tier.isEnabled)).toEqual([true, false, false]);
    expect(await ok('GET', 'projects/plain-one')).toEqual(project);
    expect(await ok('GET', `projects/${project.id}`)).toEqual(project);
  });

  it('without a pool get one that has a runner', async () => {
    const other = await makeTenant();
    const { ok: create } = await openTenantApi(other);
    const poolOf = async (body: object) => (await create('POST', 'projects', { body })).runnerPool;
    expect(await poolOf({ name: 'Before' })).toBe('default');
    await inTransaction(other.scope, async (db) => {
      const poolId = await ensurePool(db, 'local');
      const runner = { poolId, name: 'local', keyHash: randomUUID(), allowedTiers: [1] };
      await insertRunner(db, runner);
    });
    expect(await poolOf({ name: 'After' })).toBe('local');
    expect(await poolOf({ name: 'Chosen', runnerPool: 'default' })).toBe('default');
  });

  it('what no text can hold is replaced, in a body and in an address', async () => {
    const made = await ok('POST', 'projects', { body: { name: 'Sh\0p \ud83d', slug: 'held' } });
    expect(made.name).toBe('Sh\uFFFDp \uFFFD');
    expect((await api('GET', 'projects/held%00')).status).toBe(404);
    expect((await api('GET', 'sessions?project=held%00')).status).toBeLessThan(500);
  });

  it('[INC-1.1] take checks of every kind, and name every field that is wrong', async () => {
    await ok('POST', 'projects', { body: { name: 'Kinds' } });
    const patch = (...checks: object[]) => ({ body: { services: [{ name: 'web', checks }] } });
    const http = {
      type: 'http',
      target: 'https://shop.test/health',
      expectJson: { path: '$.status', equals: 'ok' },
      everySeconds: 30,
      timeoutSeconds: 5,
    };
    const project = await ok('PATCH', 'projects/kinds', patch(http));
    expect(project.services).toEqual([{ name: 'web', checks: [http] }]);

    const refused = async (...checks: object[]) => {
      const answer = await api('PATCH', 'projects/kinds', patch(...checks));
      expect(answer.status).toBe(422);
      return (await answer.json()).fields;
    };
    const path = 'services.0.checks.0';
    expect(await refused({ ...http, everySeconds: 29 })).toEqual({
      [`${path}.everySeconds`]: 'The interval must be 30s to 1d (30 to 86,400 seconds).',
    });
    expect(await refused({ ...http, timeoutSeconds: 31 })).toEqual({
      [`${path}.timeoutSeconds`]:
        'The timeout must be below its interval of 30 s, so that one execution ends before the next.',
    });
    expect(await refused({ ...http, expectJson: { path: '$.a', equal: 1 } })).toEqual({
      [`${path}.expectJson.equal`]: 'Unknown field equal. Did you mean equals?',
    });
    expect(await refused({ type: 'command', target: 'sh -c true' })).toEqual({
      [`${path}.target`]: expect.stringContaining('sh is not in the catalog'),
    });
    expect((await ok('GET', 'projects/kinds')).version).toBe(2);
  });

  it('a PATCH merges, raises the version and names every bad field', async () => {
    await ok('POST', 'projects', { body: { name: 'Patched' } });
    const body = { tiers: [{ tier: 2, isEnabled: true, maxTurns: 9 }], budgets: { dayUsd: 1 } };
    const project = await ok('PATCH', 'projects/patched', { body });
    expect(project).toMatchObject({
      version: 2,
      maxTier: 2,
      budgets: { dayUsd: 1, monthUsd: 500 },
      tiers: [{}, { isEnabled: true, maxTurns: 9, model: 'sonnet' }, { isEnabled: false }],
    });
    const bad = await api('PATCH', 'projects/patched', {
      body: { tiers: [{ tier: 2, maxTurns: 0 }], contextThreshold: 2 },
    });
    expect(bad.status).toBe(422);
    expect((await bad.json()).fields).toMatchObject({
      'tiers.0.maxTurns': 'Enter 1 to 500 turns.',
      contextThreshold: expect.any(String),
    });
    const schedule = await api('PATCH', 'projects/patched', {
      body: { schedule: { kind: 'cron', expression: '*/7 25 * * *' } },
    });
    expect((await schedule.json()).fields).toHaveProperty('schedule');
    expect(await ok('GET', 'projects/patched')).toMatchObject({ version: 2 });
  });

  it.each([
    [{}, false],
    [{ forceFresh: true }, true],
  ])('[ENG-3.2] a start with %j is forced fresh: %s', async (body, forceFresh) => {
    const name = forceFresh ? 'forced' : 'unforced';
    await ok('POST', 'projects', { body: { name } });
    expect(await ok('POST', `projects/${name}/chains`, { body })).toMatchObject({ forceFresh });
  });

  it('run one chain at a time: the second start answers 409 with the id of the first', async () => {
    await ok('POST', 'projects', { body: { name: 'Runs' } });
    const started = await ok('POST', 'projects/runs/chains', { body: { prompt: 'Look at disks' } });
    expect(started).toMatchObject({ number: 1, status: 'queued', trigger: 'api' });
    expect(started.sessions).toHaveLength(1);
    const second = await api('POST', 'projects/runs/chains', { body: {} });
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({ chainId: started.id });
    expect((await api('DELETE', 'projects/runs')).status).toBe(409);
    expect(await ok('POST', `chains/${started.id}/stop`)).toMatchObject({ outcome: 'stopped' });
    expect((await ok('GET', 'projects/runs/chains')).data).toMatchObject([{ id: started.id }]);
    expect((await api('DELETE', 'projects/runs')).status).toBe(204);
    expect((await api('GET', 'projects/runs')).status).toBe(404);
  });

  it('are deleted by owners alone; what they spent each day stays, under their name', async () => {
    const { id } = await ok('POST', 'projects', { body: { name: 'Closing down' } });
    const { organizationId } = tenant.scope;
    const projectId = decodeId('prj', String(id)) ?? '';
    await inTransaction(tenant.scope, (db) =>
      db.dailyUsage.create({
        data: {
          organizationId,
          projectId,
          day: new Date('2026-11-20'),
          tier: 1,
          model: 'haiku',
          costMicros: 30_000n,
          tokens: 9n,
        },
      }),
    );
    const { token } = await createApiToken(tenant.as('admin'), {
      name: 'made by an admin',
      scopes: ['all'],
      expiresInDays: 1,
    });
    expect((await api('DELETE', 'projects/closing-down', { token })).status).toBe(403);
    expect((await api('DELETE', 'projects/closing-down')).status).toBe(204);
    const left = await inTransaction(tenant.scope, async (db) => ({
      usage: await db.dailyUsage.findMany({ where: { projectId } }),
      names: await db.deletedProject.findMany({ where: { projectId } }),
    }));
    expect(left.usage).toMatchObject([{ costMicros: 30_000n }]);
    expect(left.names).toMatchObject([{ name: 'Closing down', slug: 'closing-down' }]);
    expect(await ok('POST', 'projects', { body: { name: 'Closing down' } })).toMatchObject({
      slug: 'closing-down',
    });
  });

  it('refuse a prompt of their own that asks for what is not there', async () => {
    await ok('POST', 'projects', { body: { name: 'Prompted' } });
    const body = { tiers: [{ tier: 1, prompt: 'Look at {{weather}}.' }] };
    const bad = await api('PATCH', 'projects/prompted', { body });
    expect(bad.status).toBe(422);
    expect((await bad.json()).fields).toEqual({
      'tiers.0.prompt': expect.stringContaining('There is no input named weather.'),
    });
  });

  it('that are paused start nothing until they are resumed', async () => {
    await ok('POST', 'projects', { body: { name: 'Paused' } });
    const paused = await ok('POST', 'projects/paused/pause', { body: { reason: 'Move' } });
    expect(paused.pause).toMatchObject({ by: 'test', reason: 'Move' });
    const refused = await api('POST', 'projects/paused/chains', { body: {} });
    expect(refused.status).toBe(412);
    expect(await ok('DELETE', 'projects/paused/pause')).toMatchObject({ pause: null });
    await ok('POST', 'organization/pause', { body: { reason: 'Night' } });
    expect((await api('POST', 'projects/paused/chains', { body: {} })).status).toBe(412);
    expect(await ok('DELETE', 'organization/pause')).toMatchObject({ pausedAt: null });
    await ok('POST', 'projects/paused/chains', { body: {} });
  });

  it('snooze a service until a time, and wake it', async () => {
    const services = [{ name: 'api', checks: [] }];
    await ok('POST', 'projects', { body: { name: 'Shop', services } });
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const path = 'projects/shop/services/api/snooze';
    const snoozed = await ok('POST', path, { body: { until, reason: 'Deploy' } });
    expect(snoozed.snooze).toEqual({
      until,
      by: 'test',
      reason: 'Deploy',
      at: expect.any(String),
    });
    expect(await ok('DELETE', path)).toMatchObject({ snooze: null });
    const past = await api('POST', path, { body: { until: '2020-01-01T00:00:00Z' } });
    expect(past.status).toBe(422);
    expect((await api('DELETE', 'projects/shop/services/none/snooze')).status).toBe(404);
  });
});
