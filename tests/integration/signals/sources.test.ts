/** Alert sources and alerts by API. */

import { beforeAll, describe, expect, it } from 'vitest';
import { type Json, openTenantApi, type TenantApi } from '@/tests/integration/api/support/client';
import { makeTenant, type Tenant } from '@/tests/integration/api/support/tenant';
import { useTestDatabase } from '@/tests/support/database';
import '@/tests/support/subscriptions';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids';
import { processSource } from '@/lib/signals/process-requests';
import { receiveSignals } from '@/lib/signals/receive-signals';
import { fixture } from './support/fixtures';

useTestDatabase();

let tenant: Tenant;
let client: TenantApi;
beforeAll(async () => {
  tenant = await makeTenant();
  client = await openTenantApi(tenant);
  const services = [{ name: 'checkout', checks: [{ type: 'tcp', target: '127.0.0.1:9' }] }];
  await client.ok('POST', 'projects', { body: { name: 'Shop', slug: 'shop', services } });
});

const make = (body: Json): Promise<Json> =>
  client.ok('POST', 'signal-sources', { body: { project: 'shop', name: 'Source', ...body } });

async function deliver(source: Json, body: string): Promise<void> {
  const request = new Request(String(source.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${source.token}` },
    body,
  });
  await receiveSignals(request, String(source.id));
  await processSource(tenant.scope, requireId('als', String(source.id)));
}

describe('an alert source', () => {
  it('[INC-1.3] shows its token once, when it is created and when it is rotated', async () => {
    const source = await make({ kind: 'alertmanager' });
    expect(source).toMatchObject({ kind: 'alertmanager', staleSeconds: 43_200, disabledAt: null });
    expect(source.token).toMatch(/^alk_\w{49}$/);
    expect(source.url).toBe(`http://127.0.0.1:3000/api/signals/${source.id}`);
    const rotated = await client.ok('POST', `signal-sources/${source.id}/rotate`, { body: {} });
    expect((rotated as Json).token).not.toBe(source.token);
    const read = await client.ok('GET', `signal-sources/${source.id}`);
    expect(JSON.stringify(read)).not.toContain('alk_');
    expect((read as Json).tokenHint).toBe(String((rotated as Json).token).slice(-4));
    expect((read as Json).previousTokenUntil).not.toBeNull();
  });

  it('[INC-1.3] is changed, listed by project and deleted with its alerts; each is in the audit log', async () => {
    const source = await make({ kind: 'generic' });
    await deliver(source, '{"id":1,"status":"firing","title":"Down"}');
    const path = `signal-sources/${source.id}`;
    const changes = { name: 'Nagios', staleSeconds: 600, mapping: { title: 'a.b' } };
    expect(await client.ok('PATCH', path, { body: changes })).toMatchObject(changes);
    const { data } = await client.ok('GET', 'signal-sources?project=shop');
    expect(data.map(({ id }) => id)).toContain(source.id);
    expect((await client.api('DELETE', path)).status).toBe(204);
    expect((await client.api('GET', path)).status).toBe(404);
    expect((await client.ok('GET', 'signals')).data).toEqual([]);
    const entries = await client.ok('GET', 'audit?action=alert_source');
    const own = entries.data.filter(({ target }) => target === source.id);
    expect(own.map(({ action }) => action)).toEqual([
      'alert_source.deleted',
      'alert_source.updated',
      'alert_source.created',
    ]);
  });

  it.each([
    [{ mapping: { title: 'a..b' } }, 'mapping.title'],
    [{ mapping: { title: 'a b' } }, 'mapping.title'],
    [{ mapping: { titel: 'a' } }, 'mapping.titel'],
    [{ staleSeconds: 5 }, 'staleSeconds'],
    [{ signingSecrets: ['short'] }, 'signingSecrets.0'],
    [{ signingSecrets: ['a-long-secret'] }, 'signingSecrets'],
    [{ name: ' ' }, 'name'],
    [{ kind: 'nagios' }, 'kind'],
  ])('[INC-1.3] with %j is refused, by its field', async (body, field) => {
    const response = await client.api('POST', 'signal-sources', {
      body: { project: 'shop', kind: 'generic', name: 'x', ...body },
    });
    expect(response.status).toBe(422);
    expect(Object.keys((await response.json()).fields)).toEqual([field]);
  });

  it('[INC-1.3] a project has at most 50 of them', async () => {
    await client.ok('POST', 'projects', { body: { name: 'Full', slug: 'full', services: [] } });
    const statuses: number[] = [];
    for (let count = 0; count < 51; count += 1) {
      const body = { project: 'full', kind: 'generic', name: 'x' };
      statuses.push((await client.api('POST', 'signal-sources', { body })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 50 }, () => 201), 409]);
  });
});

describe('a preview', () => {
  const body = '{"event":{"name":"Disk full","state":"CRIT","on":"shop-web"}}';
  const mapping = {
    title: 'event.name',
    status: 'event.state',
    service: 'event.on',
    firingValues: ['CRIT'],
    serviceNames: { 'shop-web': 'checkout' },
  };

  it('[INC-1.3] says why a body can’t be read, and what it becomes with a draft of the mapping', async () => {
    const source = await make({ kind: 'generic' });
    const path = `signal-sources/${source.id}/preview`;
    expect(await client.ok('POST', path, { body: { body } })).toMatchObject({
      result: 'unparsed',
      reason: 'no_status',
      alerts: [],
    });
    expect(await client.ok('POST', path, { body: { body, mapping } })).toMatchObject({
      result: 'alerts',
      alerts: [
        {
          title: 'Disk full',
          status: 'firing',
          severity: 'warning',
          serviceText: 'shop-web',
          service: 'checkout',
          startsAt: null,
        },
      ],
    });
  });

  it('[INC-1.3] uses the saved mapping, and stores nothing', async () => {
    const source = await make({ kind: 'generic', mapping });
    const path = `signal-sources/${source.id}`;
    const preview = await client.ok('POST', `${path}/preview`, { body: { body } });
    expect(preview).toMatchObject({ result: 'alerts' });
    expect((await client.ok('GET', `${path}/requests`)).data).toEqual([]);
    expect((await client.ok('GET', `signals?source=${source.id}`)).data).toEqual([]);
  });
});

describe('alerts', () => {
  it('[INC-1.3] are filtered by source, status, severity and service, and paged', async () => {
    const source = await make({ kind: 'alertmanager' });
    for (const name of ['alertmanager_partially_resolved', 'alertmanager_firing']) {
      await deliver(source, fixture(name));
    }
    await deliver(source, fixture('alertmanager_severity_changed'));
    const titles = async (query: string) =>
      (await client.ok('GET', `signals?source=${source.id}&${query}`)).data.map(
        ({ title }) => title,
      );
    expect(await titles('status=resolved')).toHaveLength(2);
    expect(await titles('severity=warning')).toEqual(['v-1 SevChange']);
    expect(await titles('service=checkout')).toEqual(['web-1:9100 InstanceDown']);
    expect(await titles('status=firing&service=none')).toEqual([]);
    expect(await titles('project=shop')).toHaveLength(6);
    const first = await client.ok('GET', `signals?source=${source.id}&limit=4`);
    const cursor = encodeURIComponent(String((first as Json).nextCursor));
    const second = await client.ok('GET', `signals?source=${source.id}&limit=4&cursor=${cursor}`);
    expect([first.data.length, second.data.length, (second as Json).nextCursor]).toEqual([
      4,
      2,
      null,
    ]);
  });

  it('[INC-1.3] are gone with their project', async () => {
    await client.ok('POST', 'projects', { body: { name: 'Brief', slug: 'brief', services: [] } });
    const source = await make({ project: 'brief', kind: 'generic' });
    await deliver(source, '{"id":1,"status":"firing","title":"Down"}');
    expect((await client.api('DELETE', 'projects/brief')).status).toBe(204);
    const left = await inTransaction(tenant.scope, (db) =>
      db.signal.count({ where: { sourceId: requireId('als', String(source.id)) } }),
    );
    expect(left).toBe(0);
  });
});
