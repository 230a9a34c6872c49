import { beforeAll, describe, expect, it } from 'vitest';
import { writeAuditAnchors } from '@/lib/identity/audit/write-anchors';
import { useTestDatabase } from '@/tests/support/database';
import { openTenantApi, type TenantApi } from './support/client';
import { makeTenant, type Tenant } from './support/tenant';
import { type SeededChain, seedThreeTierChain } from './support/three-tier-chain';

useTestDatabase();

let api: TenantApi['api'];
let ok: TenantApi['ok'];
let tenant: Tenant;
let chain: SeededChain;
beforeAll(async () => {
  tenant = await makeTenant();
  chain = await seedThreeTierChain(tenant);
  ({ api, ok } = await openTenantApi(tenant));
});

describe('runners, tokens and the audit log', () => {
  it('an enrolment token is shown once; a runner is drained, resumed and revoked', async () => {
    const enrolment = await ok('POST', 'runners', { body: { pool: 'edge', allowedTiers: [1] } });
    expect(enrolment.token).toMatch(/^enr_/);
    expect(enrolment.checkoutCommand).toContain(`runner start --url http`);
    for (const name of ['command', 'serviceCommand', 'checkoutCommand'] as const) {
      expect(enrolment[name]).toContain(String(enrolment.token));
    }
    expect((await ok('GET', 'runners')).data).toMatchObject([
      { status: 'online', pool: 'default' },
    ]);
    const path = `runners/${chain.runnerId}`;
    expect(await ok('POST', `${path}/drain`)).toMatchObject({ status: 'draining' });
    expect(await ok('DELETE', `${path}/drain`)).toMatchObject({ status: 'online' });
    expect(await ok('PATCH', path, { body: { allowedTiers: [2, 1], slotLimit: 2 } })).toMatchObject(
      { allowedTiers: [1, 2], slotLimit: 2 },
    );
    expect(await ok('POST', `${path}/rotate`)).toMatchObject({
      rotationRequestedAt: expect.stringMatching(/^20/),
    });
    expect(await ok('POST', `${path}/revoke`)).toMatchObject({
      status: 'revoked',
      rotationRequestedAt: null,
    });
    for (const verb of ['drain', 'rotate']) {
      expect((await api('POST', `${path}/${verb}`)).status).toBe(409);
    }
    expect(await ok('GET', path)).toMatchObject({ status: 'revoked' });
  });

  it('[SAS-6.2] a token is shown once and worth nothing once revoked', async () => {
    const made = await ok('POST', 'tokens', { body: { name: 'ci', scopes: ['projects:read'] } });
    const secret = String(made.token);
    expect((await api('GET', 'projects', { token: secret })).status).toBe(200);
    const listed = JSON.stringify(await ok('GET', 'tokens'));
    expect(listed).toContain(made.id);
    expect(listed).not.toContain(secret);
    await ok('DELETE', `tokens/${made.id}`);
    expect((await api('GET', 'projects', { token: secret })).status).toBe(401);
  });

  it('the audit log reads page by page and verifies', async () => {
    const first = await ok('GET', 'audit?limit=2');
    const second = await ok('GET', `audit?limit=2&cursor=${first.nextCursor}`);
    const numbers = [...first.data, ...second.data].map((entry) => Number(entry.seq));
    expect(numbers).toEqual([0, 1, 2, 3].map((step) => (numbers[0] ?? 0) - step));
    await writeAuditAnchors();
    expect(await ok('GET', 'audit/verification')).toMatchObject({ isIntact: true, firstBad: null });
  });
});

describe('webhook endpoints', () => {
  it('[SAS-5.1] are created with a secret shown once, changed, tested, rotated and deleted', async () => {
    const body = { url: 'https://hooks.example.com/t', eventTypes: ['chain.completed'] };
    const made = await ok('POST', 'webhook-endpoints', { body });
    expect(made.secret).toMatch(/^whsec_/);
    const path = `webhook-endpoints/${made.id}`;
    expect(await ok('GET', path)).not.toHaveProperty('secret');
    expect(await ok('PATCH', path, { body: { description: 'Pager' } })).toMatchObject({
      description: 'Pager',
      url: body.url,
    });
    const rotated = await ok('POST', `${path}/rotate`);
    expect(rotated.secret).not.toBe(made.secret);
    const test = await ok('POST', `${path}/test`);
    expect(test).toMatchObject({ eventType: 'webhook.test', status: 'scheduled' });
    const listed = await ok('GET', `webhook-deliveries?endpoint=${made.id}&status=scheduled`);
    expect(listed.data).toMatchObject([{ id: test.id }]);
    expect(await ok('GET', `webhook-deliveries/${test.id}`)).toMatchObject({ log: [] });
    expect((await api('POST', `webhook-deliveries/${test.id}/replay`)).status).toBe(409);
    expect((await api('DELETE', path)).status).toBe(204);
    expect((await api('GET', path)).status).toBe(404);
  });

  it.each(['http://hooks.example.com', 'https://127.0.0.1/x', 'https://2130706433/', 'nonsense'])(
    '[SAS-5.1] %s is refused as a target',
    async (url) => {
      const body = { url, eventTypes: ['chain.completed'] };
      const refused = await api('POST', 'webhook-endpoints', { body });
      expect(refused.status).toBe(422);
      expect((await refused.json()).fields).toHaveProperty('url');
    },
  );
});
