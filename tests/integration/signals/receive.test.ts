/** Who may send, what is stored, and what happens to repeats and floods. */

import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { subscribeIncidents } from '@/lib/incidents/subscriptions';
import { disconnectClients } from '@/lib/platform/db/clients';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { subscribe } from '@/lib/platform/domain-events';
import { requireId } from '@/lib/platform/ids';
import { signalsChanged } from '@/lib/signals/domain-events';
import { listSignals } from '@/lib/signals/list-signals';
import {
  createSignalSource,
  deleteSignalSource,
  rotateSignalToken,
  updateSignalSource,
} from '@/lib/signals/manage-sources';
import type { SignalChange } from '@/lib/signals/occurrences';
import { processSource } from '@/lib/signals/process-requests';
import { receiveSignals } from '@/lib/signals/receive-signals';
import { lockSource } from '@/lib/signals/source-data';
import { createSignalSourceSchema, MAX_SIGNAL_BODY_BYTES } from '@/lib/signals/source-schema';
import { pruneSignals, sweepSignals } from '@/lib/signals/sweep';
import type { ApiServer } from '@/tests/integration/api/support/server';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { runSql, useTestDatabase } from '@/tests/support/database';
import { fixture, sentYesterday } from './support/fixtures';
import { makeSender, openServer, processed, type Sender } from './support/sending';

const database = useTestDatabase();

let server: ApiServer;
let cast: Cast;
beforeAll(async () => {
  server = await openServer();
  cast = await makeCast();
});
afterAll(() => server.close());

const FIRING = fixture('alertmanager_firing');

/** Everything published while `work` runs, by the project. */
async function changesDuring(work: () => Promise<unknown>): Promise<SignalChange[]> {
  const seen: SignalChange[] = [];
  subscribe(signalsChanged, 'incidents', async (_db, _scope, { changes }) => {
    seen.push(...changes);
    return [];
  });
  try {
    await work();
  } finally {
    subscribeIncidents();
  }
  return seen;
}

const statusesOf = (changes: readonly SignalChange[]) =>
  changes.map(({ status, isNew, title }) => `${status}${isNew ? ' new' : ''} ${title}`);

/** What is stored of the source, apart from what is shown. */
function rowsOf(sender: Sender) {
  const sourceId = requireId('als', sender.source.id);
  return inTransaction(sender.cast.alice, async (db) => ({
    source: await db.signalSource.findFirstOrThrow({ where: { id: sourceId } }),
    deliveries: await db.signalRequest.findMany({ where: { sourceId }, orderBy: { id: 'asc' } }),
  }));
}

describe('a request', () => {
  it('[INC-1.3] is answered 202 with its id, and stored as it arrived', async () => {
    const sender = await makeSender('alertmanager', {}, cast);
    const response = await sender.send(FIRING, {
      headers: { 'user-agent': 'Alertmanager/0.25.0' },
    });
    expect(response.status).toBe(202);
    const { id } = (await response.json()) as { id: string };
    expect(id).toMatch(/^ald_\w{22}$/);
    await processed(cast.alice, sender.source.id);
    const [row] = (await rowsOf(sender)).deliveries;
    expect(Buffer.from(row?.body ?? []).toString('utf8')).toBe(FIRING);
    expect(row?.headers).toEqual({
      'user-agent': 'Alertmanager/0.25.0',
      'content-type': 'application/json',
    });
  });

  it('[INC-1.3] may be a PUT, of any content type, and with the token as a password', async () => {
    const sender = await makeSender('grafana', {}, cast);
    const basic = Buffer.from(`anyone:${sender.source.token}`).toString('base64');
    const request = await sender.deliver(fixture('grafana_firing_built'), {
      method: 'PUT',
      headers: { 'content-type': 'text/plain', authorization: `Basic ${basic}` },
      token: null,
    });
    expect(request).toMatchObject({ state: 'processed', alertCount: 1 });
  });

  it.each<[string, { token?: string | null; sourceId?: string; headers?: Record<string, string> }]>(
    [
      ['no token', { token: null }],
      ['another token', { token: `alk_${'x'.repeat(49)}` }],
      ['a token that is empty', { token: null, headers: { authorization: 'Bearer ' } }],
      ['an unknown source', { sourceId: 'als_0000000000000000000000' }],
      ['no id of a source', { sourceId: 'x' }],
    ],
  )('[INC-1.3] with %s is answered 401, and stored nowhere', async (_, call) => {
    const sender = await makeSender('alertmanager', {}, cast);
    const response = await sender.send(FIRING, call);
    expect(response.status).toBe(401);
    expect(await response.text()).not.toContain(sender.source.id);
    expect((await rowsOf(sender)).deliveries.filter(({ state }) => state !== 'rejected')).toEqual(
      [],
    );
  });

  it('[INC-1.3] with a wrong token is one line on the source’s page, without its body', async () => {
    const sender = await makeSender('alertmanager', {}, cast);
    for (let count = 0; count < 5; count += 1) await sender.send(FIRING, { token: 'wrong' });
    const [only, ...others] = (await rowsOf(sender)).deliveries;
    expect(others).toEqual([]);
    expect(only).toMatchObject({ state: 'rejected', reason: 'wrong_token', body: null });
  });

  it('[INC-1.3] with the token of another tenant’s source is refused, and the other way around', async () => {
    const [mine, theirs] = [await makeSender('alertmanager'), await makeSender('alertmanager')];
    expect((await mine.send(FIRING, { sourceId: theirs.source.id })).status).toBe(401);
    expect((await theirs.send(FIRING, { sourceId: mine.source.id })).status).toBe(401);
    await mine.deliver(FIRING);
    expect(await mine.alerts()).toHaveLength(1);
    expect(await theirs.alerts()).toEqual([]);
    const all = { limit: 100 };
    expect((await listSignals(theirs.cast.alice, all)).data).toEqual([]);
    await expect(
      listSignals(theirs.cast.alice, { ...all, source: mine.source.id }),
    ).rejects.toThrow();
  });

  it('[INC-1.3] with the token before a rotation is accepted for a day', async () => {
    const sender = await makeSender('alertmanager', {}, cast);
    const rotated = await rotateSignalToken(cast.alice, sender.source.id);
    expect((await sender.send(FIRING)).status).toBe(202);
    expect((await sender.send(FIRING, { token: rotated.token })).status).toBe(202);
    await rotateSignalToken(cast.alice, sender.source.id, new Date(Date.now() - 86_400_001));
    expect((await sender.send(FIRING, { token: rotated.token })).status).toBe(401);
  });

  it('[INC-1.3] to a disabled source is rejected and shown, and accepted once it is enabled', async () => {
    const sender = await makeSender('alertmanager', {}, cast);
    await updateSignalSource(cast.alice, sender.source.id, { isEnabled: false });
    expect((await sender.send(FIRING)).status).toBe(403);
    expect(await sender.deliveries()).toMatchObject([{ state: 'rejected', reason: 'disabled' }]);
    await updateSignalSource(cast.alice, sender.source.id, { isEnabled: true });
    expect((await sender.send(FIRING)).status).toBe(202);
  });

  it('[INC-1.3] never shows or stores its secrets in the clear', async () => {
    const secret = `whsec_${Buffer.from('a secret of 24 characters').toString('base64')}`;
    const sender = await makeSender('generic', { signingSecrets: [secret] }, cast);
    const { source } = await rowsOf(sender);
    const audit = await inTransaction(cast.alice, (db) => db.auditLog.findMany({}));
    const text = JSON.stringify([
      source,
      audit.map(({ detail }) => detail),
      await sender.deliveries(),
    ]);
    expect(text).not.toContain(secret.slice(6));
    expect(text).not.toContain(sender.source.token);
  });
});

describe('the size of a body', () => {
  it.each([
    ['alertmanager', 1_048_576],
    ['grafana', 1_048_576],
    ['pagerduty', 262_144],
    ['generic', 524_288],
  ] as const)(
    '[INC-1.3] of %s is at most %i bytes; a larger one is rejected and shown',
    async (kind, most) => {
      expect(MAX_SIGNAL_BODY_BYTES[kind]).toBe(most);
      const sender = await makeSender(kind, {}, cast);
      expect((await sender.send('x'.repeat(most))).status).toBe(202);
      const response = await sender.send('x'.repeat(most + 1));
      expect(response.status).toBe(413);
      await processed(cast.alice, sender.source.id);
      const [rejected, unparsed] = await sender.deliveries();
      expect(rejected).toMatchObject({
        state: 'rejected',
        reason: 'too_large',
        bodyBytes: most + 1,
      });
      expect(unparsed).toMatchObject({ state: 'unparsed', reason: 'not_json', bodyBytes: most });
    },
  );
});

describe('signatures', () => {
  const pagerduty = JSON.parse(fixture('pagerduty_signature_built'));
  const grafana = JSON.parse(fixture('grafana_signature_built'));
  const { note: _note, ...signed } = grafana.with_timestamp;
  const whsec = `whsec_${Buffer.from('a secret of 24 characters').toString('base64')}`;
  const standard = (id: string, at: Date, body: string) => ({
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(whsec).sign(id, at, body),
  });

  /** Sends without HTTP, so that the clock can be set. */
  const receive = (sender: Sender, headers: Record<string, string>, body: string, now: Date) =>
    receiveSignals(
      new Request(sender.source.url, { method: 'POST', headers, body }),
      sender.source.id,
      now,
    );

  it('[INC-1.3] PagerDuty: any of the active secrets, and no token', async () => {
    for (const secret of pagerduty.secrets) {
      const sender = await makeSender('pagerduty', { signingSecrets: [secret] }, cast);
      const call = { headers: pagerduty.headers, token: null };
      expect((await sender.send(pagerduty.body, call)).status).toBe(202);
      expect((await sender.send(`${pagerduty.body} `, call)).status).toBe(401);
      expect((await sender.send(pagerduty.body, {})).status).toBe(401);
    }
  });

  it('[INC-1.3] PagerDuty: an event that is sent again counts, and does nothing else', async () => {
    const sender = await makeSender('pagerduty', {}, cast);
    const body = sentYesterday(fixture('pagerduty_triggered_built'));
    await sender.deliver(body);
    await sender.deliver(sentYesterday(fixture('pagerduty_resolved_built')));
    const changes = await changesDuring(async () => {
      for (let count = 0; count < 3; count += 1) expect((await sender.send(body)).status).toBe(202);
      await processed(cast.alice, sender.source.id);
    });
    expect(changes).toEqual([]);
    expect(await sender.alerts()).toMatchObject([{ status: 'resolved', repeats: 1 }]);
    expect((await sender.deliveries()).map(({ repeats }) => repeats)).toEqual([0, 3]);
  });

  it('[INC-1.3] Grafana: with its time, and no more than 300 seconds later', async () => {
    const sender = await makeSender('grafana', { signingSecrets: [grafana.secret] }, cast);
    const at = Number(signed['X-Grafana-Alerting-Timestamp']) * 1_000;
    await expect(
      receive(sender, signed, grafana.body, new Date(at + 300_000)),
    ).resolves.toBeTruthy();
    await expect(receive(sender, signed, grafana.body, new Date(at + 301_000))).rejects.toThrow();
    await expect(
      receive(sender, grafana.without_timestamp, grafana.body, new Date(at)),
    ).rejects.toThrow();
    const reasons = (await sender.deliveries()).map(({ reason }) => reason).toSorted();
    expect(reasons.filter(Boolean)).toEqual(['bad_signature', 'stale_signature']);
  });

  it('[INC-1.3] Standard Webhooks: a repeat of its id counts, and does nothing else', async () => {
    const sender = await makeSender('generic', { signingSecrets: [whsec] }, cast);
    const body = '{"id":"a","status":"firing","title":"x"}';
    const now = new Date();
    const call = { headers: standard('msg_1', now, body), token: null };
    await sender.deliver(body, call);
    expect((await sender.send(body, call)).status).toBe(202);
    expect(
      (await sender.send(body, { headers: standard('msg_1', now, '{}'), token: null })).status,
    ).toBe(401);
    expect(await sender.alerts()).toMatchObject([{ repeats: 0 }]);
    const old = new Date(now.getTime() - 301_000);
    expect(
      (await sender.send(body, { headers: standard('msg_2', old, body), token: null })).status,
    ).toBe(401);
  });

  it('[INC-1.3] Events v2: the token may be the routing key, which isn’t stored', async () => {
    const sender = await makeSender('generic', {}, cast);
    const body = fixture('generic_events_v2_in_built').replace(
      'TOKEN_OF_THE_SOURCE',
      sender.source.token,
    );
    const request = await sender.deliver(body, { token: null });
    expect(request).toMatchObject({ state: 'processed', alertCount: 1 });
    const { deliveries } = await rowsOf(sender);
    expect(Buffer.from(deliveries[0]?.body ?? []).toString('utf8')).not.toContain(
      sender.source.token,
    );
    expect(
      (await sender.send(body.replace(/alk_\w{10}/, 'alk_0000000000'), { token: null })).status,
    ).toBe(401);
  });

  it('[INC-1.3] secrets that a kind can’t use are refused', () => {
    const make = (kind: string, secret: string) => () =>
      createSignalSource(
        cast.alice,
        createSignalSourceSchema.parse({
          project: cast.projectSlug,
          kind,
          name: 'x',
          signingSecrets: [secret],
        }),
      );
    expect(make('alertmanager', 'a-long-secret')).toThrow(/Alertmanager can’t sign/);
    expect(make('generic', 'a-long-secret')).toThrow(/whsec_/);
  });
});

describe('messages about an outage', () => {
  it('[INC-1.3] a changed severity is a new alert before the old one ends', async () => {
    const sender = await makeSender('alertmanager', {}, cast);
    const before = JSON.parse(fixture('alertmanager_severity_changed'));
    const changed = { ...before, alerts: [before.alerts[1], before.alerts[0]] };
    before.alerts = [{ ...before.alerts[1], status: 'firing', endsAt: '0001-01-01T00:00:00Z' }];
    await sender.deliver(JSON.stringify(before));
    const changes = await changesDuring(() => sender.deliver(JSON.stringify(changed)));
    expect(statusesOf(changes)).toEqual(['firing new v-1 SevChange', 'resolved v-1 SevChange']);
  });

  it('[INC-1.3] two instances that send the same alert make one', async () => {
    const sender = await makeSender('alertmanager', {}, cast);
    const changes = await changesDuring(async () => {
      await Promise.all(
        [1, 2].map((number) => sender.send(fixture(`alertmanager_ha_duplicate_${number}`))),
      );
      await processed(cast.alice, sender.source.id);
    });
    expect(statusesOf(changes)).toEqual(['firing new h-1 Split']);
    expect(await sender.alerts()).toMatchObject([{ repeats: 1, status: 'firing' }]);
  });

  it('[INC-1.3] the same labels of two sources are two alerts', async () => {
    const senders = [
      await makeSender('alertmanager', {}, cast),
      await makeSender('alertmanager', {}, cast),
    ];
    for (const sender of senders) await sender.deliver(FIRING);
    const ids = await Promise.all(senders.map(async (sender) => (await sender.alerts())[0]?.id));
    expect(new Set(ids).size).toBe(2);
  });

  it('[INC-1.3] it fires, is resolved in part, and then the rest', async () => {
    const sender = await makeSender('alertmanager', {}, cast);
    const names = ['firing_3', 'partially_resolved', 'resolved_rest'];
    const changes = await changesDuring(async () => {
      for (const name of names) await sender.deliver(fixture(`alertmanager_${name}`));
    });
    expect(statusesOf(changes)).toEqual([
      ...[1, 2, 3].map((number) => `firing new api-${number}:8080 HighLatency`),
      ...[2, 1, 3].map((number) => `resolved api-${number}:8080 HighLatency`),
    ]);
    expect((await sender.alerts()).map(({ endedAt }) => endedAt).toSorted()).toEqual([
      '2026-11-23T08:40:14.088Z',
      '2026-11-23T08:40:26.098Z',
      '2026-11-23T08:40:26.099Z',
    ]);
  });

  it('[INC-1.3] alerts name the project’s service, by its name or by the source’s list', async () => {
    const sender = await makeSender(
      'alertmanager',
      { mapping: { serviceNames: { Checkout: 'web' } } },
      cast,
    );
    const changes = await changesDuring(() => sender.deliver(FIRING));
    const service = await inTransaction(cast.alice, (db) =>
      db.service.findFirst({ where: { name: 'web' } }),
    );
    expect(changes).toMatchObject([
      { serviceId: service?.id, kind: 'problem', severity: 'critical' },
    ]);
    expect(await sender.alerts()).toMatchObject([{ serviceText: 'checkout', service: 'web' }]);
  });

  it('[INC-1.3] PagerDuty: acknowledged, resolved, reopened and resolved again', async () => {
    const sender = await makeSender('pagerduty', {}, cast);
    const resolvedAgain = sentYesterday(fixture('pagerduty_resolved_built')).replace(
      '01TWRESOLVED',
      'AGAIN',
    );
    const changes = await changesDuring(async () => {
      for (const name of ['triggered', 'acknowledged', 'unacknowledged', 'resolved', 'reopened']) {
        await sender.deliver(sentYesterday(fixture(`pagerduty_${name}_built`)));
      }
      await sender.deliver(resolvedAgain);
    });
    const title = 'Checkout error rate is above 5 %';
    expect(statusesOf(changes)).toEqual([
      `firing new ${title}`,
      `resolved ${title}`,
      `firing new ${title}`,
      `resolved ${title}`,
    ]);
  });

  it('[INC-1.3] what the sender cut off is counted', async () => {
    const sender = await makeSender('alertmanager', {}, cast);
    expect(await sender.deliver(fixture('alertmanager_truncated'))).toMatchObject({
      truncatedCount: 3,
    });
  });

  it('[INC-1.3] a body that can’t be read is kept and shown, without secrets', async () => {
    const sender = await makeSender('generic', {}, cast);
    const secret = `ghp_${'a'.repeat(36)}`;
    const request = await sender.deliver(JSON.stringify({ note: 'Odd', secret }));
    expect(request).toMatchObject({ state: 'unparsed', reason: 'no_status' });
    expect(request.excerpt).toContain('"note":"Odd"');
    expect(request.excerpt).not.toContain(secret);
  });

  it('[INC-1.3] a delivery that fails holds up no other, and is tried again', async () => {
    const sender = await makeSender('generic', {}, cast);
    subscribe(signalsChanged, 'incidents', async (_db, _scope, { changes }) => {
      if (changes.some(({ title }) => title === 'poison')) throw new Error('It fails.');
      return [];
    });
    const body = (title: string) => JSON.stringify({ id: title, status: 'firing', title });
    const patience = { timeout: 60_000, interval: 20 };
    try {
      for (const title of ['a', 'poison', 'b']) await sender.send(body(title));
      await vi.waitFor(async () => {
        expect((await sender.alerts()).map(({ title }) => title).toSorted()).toEqual(['a', 'b']);
      }, patience);
    } finally {
      subscribeIncidents();
    }
    await vi.waitFor(async () => {
      expect((await sender.deliveries()).filter(({ state }) => state === 'received')).toHaveLength(
        1,
      );
    }, patience);
    await sweepSignals(new Date(Date.now() + 600_000));
    expect((await sender.alerts()).map(({ title }) => title)).toContain('poison');
  });
});

describe('alerts that nobody ends', () => {
  it('[INC-1.3] are stale after the source’s time, and fire again with the next message', async () => {
    const sender = await makeSender('alertmanager', { staleSeconds: 3_600 }, cast);
    await sender.deliver(FIRING);
    const later = (seconds: number) => new Date(Date.now() + seconds * 1_000);
    const before = await changesDuring(() => sweepSignals(later(3_500)));
    expect(before.filter(({ title }) => title.startsWith('web-1'))).toEqual([]);
    const own = (changes: readonly SignalChange[]) =>
      statusesOf(changes.filter(({ signalId }) => signalId === ownId));
    const ownId = requireId('alt', (await sender.alerts())[0]?.id ?? '');
    expect(own(await changesDuring(() => sweepSignals(later(3_700))))).toEqual([
      'stale web-1:9100 InstanceDown',
    ]);
    expect(await sender.alerts()).toMatchObject([{ status: 'stale' }]);
    expect(own(await changesDuring(() => sweepSignals(later(9_999))))).toEqual([]);
    expect(own(await changesDuring(() => sender.deliver(FIRING)))).toEqual([
      'firing web-1:9100 InstanceDown',
    ]);
  });

  it('[INC-1.3] wait 12 hours where nothing else is set', async () => {
    const sender = await makeSender('alertmanager', {}, cast);
    expect(sender.source.staleSeconds).toBe(12 * 3_600);
  });

  it('[INC-1.3] are reported as stale when their source is deleted', async () => {
    const sender = await makeSender('alertmanager', {}, cast);
    await sender.deliver(FIRING);
    const changes = await changesDuring(() => deleteSignalSource(cast.alice, sender.source.id));
    expect(statusesOf(changes)).toEqual(['stale web-1:9100 InstanceDown']);
    expect((await sender.send(FIRING)).status).toBe(401);
  });
});

describe('processing', () => {
  it('[INC-1.3] doesn’t hold up what arrives meanwhile', async () => {
    const sender = await makeSender('alertmanager', {}, cast);
    const sourceId = requireId('als', sender.source.id);
    await inTransaction(cast.alice, async (db) => {
      await lockSource(db, sourceId);
      expect((await sender.send(FIRING)).status).toBe(202);
    });
    await processed(cast.alice, sender.source.id);
  });

  it('[INC-1.3] by several processes at once publishes each message once', async () => {
    const sender = await makeSender('alertmanager', {}, cast);
    const sourceId = requireId('als', sender.source.id);
    await sender.deliver(fixture('prometheus_firing'));
    const changes: SignalChange[] = [];
    subscribe(signalsChanged, 'incidents', async (_db, _scope, payload) => {
      changes.push(...payload.changes);
      // Long enough for the others to find the delivery, if nothing kept them from it.
      await sleep(500);
      return [];
    });
    try {
      await sender.send(fixture('prometheus_resolved'));
      await Promise.all(Array.from({ length: 6 }, () => processSource(cast.alice, sourceId)));
      await processed(cast.alice, sender.source.id);
    } finally {
      subscribeIncidents();
    }
    expect(statusesOf(changes)).toEqual(['resolved Instance 127.0.0.1:25201 down']);
  });

  it('[INC-1.3] survives times that no database holds', async () => {
    const sender = await makeSender('generic', {}, cast);
    const times = ['0000-01-01T00:00:00Z', '-271821-04-20T00:00:00Z', '9999-12-31T23:59:59Z', 'x'];
    for (const [id, time] of times.entries()) {
      await sender.deliver(JSON.stringify({ id, status: 'firing', title: 'x', started_at: time }));
    }
    expect(await sender.alerts()).toHaveLength(times.length);
  });

  it('[INC-1.3] keeps requests for 14 days, and alerts for 400 after their end', async () => {
    const sender = await makeSender('alertmanager', {}, cast);
    await sender.deliver(sentYesterday(fixture('alertmanager_partially_resolved')));
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    await pruneSignals(inDays(13));
    expect([(await sender.deliveries()).length, (await sender.alerts()).length]).toEqual([1, 3]);
    await pruneSignals(inDays(15));
    expect([(await sender.deliveries()).length, (await sender.alerts()).length]).toEqual([0, 3]);
    await pruneSignals(inDays(410));
    expect((await sender.alerts()).map(({ status }) => status)).toEqual(['firing', 'firing']);
  });
});

describe('a flood', () => {
  it('[INC-1.3] of 5,000 alerts from 300 fingerprints is merged, and none is refused or lost', async () => {
    const sender = await makeSender('alertmanager', {}, cast);
    const one = JSON.parse(FIRING);
    const signalOf = (number: number) => ({
      ...one.alerts[0],
      fingerprint: String(number % 300).padStart(16, '0'),
    });
    // Twenty of a group in each message.
    const bodies = Array.from({ length: 250 }, (_, index) =>
      JSON.stringify({
        ...one,
        alerts: Array.from({ length: 20 }, (_each, part) => signalOf(index * 20 + part)),
      }),
    );
    const statuses: number[] = [];
    const changes = await changesDuring(async () => {
      const work = bodies.values();
      const post = async () => {
        for (const body of work) statuses.push((await sender.send(body)).status);
      };
      await Promise.all(Array.from({ length: 40 }, post));
      await vi.waitFor(
        async () => {
          const waits = await inTransaction(cast.alice, (db) =>
            db.signalRequest.count({ where: { state: 'received' } }),
          );
          expect(waits).toBe(0);
        },
        { timeout: 120_000, interval: 50 },
      );
    });
    expect(statuses.filter((status) => status === 202)).toHaveLength(250);
    const rows = await inTransaction(cast.alice, (db) =>
      db.signal.findMany({ where: { sourceId: requireId('als', sender.source.id) } }),
    );
    expect(rows).toHaveLength(300);
    expect(rows.reduce((sum, { repeats }) => sum + repeats + 1, 0)).toBe(5_000);
    expect(changes).toHaveLength(300);
    // Bodies that were processed are kept within a bound.
    expect((await rowsOf(sender)).deliveries.length).toBeLessThanOrEqual(200);
  });

  it('[INC-1.3] of 1,000 alerts in one body is one transaction', async () => {
    const sender = await makeSender('alertmanager', {}, cast);
    const one = JSON.parse(FIRING);
    const signals = Array.from({ length: 1_000 }, (_, number) => ({
      ...one.alerts[0],
      fingerprint: String(number).padStart(16, '0'),
    }));
    const changes = await changesDuring(() =>
      sender.deliver(JSON.stringify({ ...one, alerts: signals })),
    );
    expect(changes).toHaveLength(1_000);
  });
});

it('[INC-1.3] a body with as many alerts as fit into it ends what thousands of earlier ones began', async () => {
  const bodyOf = (status: 'firing' | 'resolved', from: number, to: number) =>
    JSON.stringify({
      version: '4',
      groupKey: 'x',
      alerts: Array.from({ length: to - from }, (_, index) => ({
        status,
        startsAt: '2',
        fingerprint: String(from + index),
      })),
    });
  const other = await makeSender('alertmanager', {}, await makeCast());
  await other.deliver(bodyOf('firing', 0, 300));
  // To PostgreSQL's statistics, all alerts are the other organization's.
  await runSql(
    database.superuserUrl,
    `delete from signal where organization_id <> '${other.cast.alice.organizationId}';
     alter table signal set (autovacuum_enabled = false); analyze signal`,
  );
  const sender = await makeSender('alertmanager', {}, cast);
  for (let from = 0; from < 17_000; from += 4_250) {
    await sender.deliver(bodyOf('firing', from, from + 4_250));
  }
  const body = bodyOf('resolved', 0, 17_000);
  expect(body.length).toBeLessThan(MAX_SIGNAL_BODY_BYTES.alertmanager);
  expect(await sender.deliver(body)).toMatchObject({ state: 'processed', alertCount: 17_000 });
  const firing = { sourceId: requireId('als', sender.source.id), status: 'firing' };
  expect(await inTransaction(cast.alice, (db) => db.signal.count({ where: firing }))).toBe(0);
});

describe('what a retry may fix', () => {
  it('[INC-1.3] such as a signing secret of another key is answered 503', async () => {
    const sender = await makeSender('pagerduty', { signingSecrets: ['a-long-secret'] }, cast);
    await inTransaction(cast.alice, (db) =>
      db.signalSource.updateMany({
        where: { id: requireId('als', sender.source.id) },
        data: { signingSecretsSealed: ['v1.a.b.c'] },
      }),
    );
    const response = await sender.send(fixture('pagerduty_triggered_built'));
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.text()).not.toContain('seal');
  });
});

describe('while the database is away', () => {
  it('[INC-1.3] a request is answered 503, so that the sender repeats it', async () => {
    const sender = await makeSender('alertmanager', {}, cast);
    const url = process.env.TIERWATCH_APP_DATABASE_URL ?? '';
    const held = globalThis as unknown as { tierwatchEnv?: unknown };
    await disconnectClients();
    process.env.TIERWATCH_APP_DATABASE_URL = url.replace(/:\d+\//, ':9/');
    delete held.tierwatchEnv;
    try {
      const response = await sender.send(FIRING);
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    } finally {
      await disconnectClients();
      process.env.TIERWATCH_APP_DATABASE_URL = url;
      delete held.tierwatchEnv;
    }
    expect((await sender.send(FIRING)).status).toBe(202);
    await processed(cast.alice, sender.source.id);
  });
});
