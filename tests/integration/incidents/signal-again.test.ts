/** An alert that ended fires again with its old start, on a clock that the test moves. */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it, vi } from 'vitest';
import { resolveIncident } from '@/lib/incidents/manage-incidents';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import type { SourceKind } from '@/lib/signals/source-schema';
import { testConfig } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { hasAlertmanager, startAlertmanager } from '@/tests/support/signals/alertmanager';
import { signal, signalSource } from './support/signals';
import { startWatch, type Watch } from './support/watching';

useTestDatabase();

const UNCHECKED = { monitoring: { everySeconds: null, failures: 2, lastResults: 3 } };
const SECOND = 1_000;

const signalsOf = (watch: Watch) =>
  inTransaction(watch.cast.alice, (db) =>
    db.signal.findMany({ orderBy: { id: 'asc' }, select: { status: true, repeats: true } }),
  );

/** Returns what a real Alertmanager sends about an alert that fires, ends, and fires again with the same start. */
async function messagesOfAlertmanager(): Promise<{ fires: string; ends: string; again: string }> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const alertmanager = await startAlertmanager({ url: `http://127.0.0.1:${port}/`, token: 't' });
  const next = (status: string, from: number) =>
    vi.waitFor(
      () => {
        const found = bodies.slice(from).find((body) => JSON.parse(body).status === status);
        if (!found) throw new Error(`No message about a ${status} alert.`);
        return found;
      },
      { timeout: 60_000, interval: 50 },
    );
  const labels = { alertname: 'HighLatency', service: 'web', severity: 'warning' };
  const startsAt = new Date(Date.now() - 5_000);
  try {
    await alertmanager.post(labels, undefined, startsAt);
    const fires = await next('firing', 0);
    await alertmanager.post(labels, new Date(), startsAt);
    const ends = await next('resolved', 0);
    const count = bodies.length;
    await alertmanager.post(labels, new Date(Date.now() + 60_000), startsAt);
    return { fires, ends, again: await next('firing', count) };
  } finally {
    await alertmanager.stop();
    server.close();
  }
}

it.skipIf(!hasAlertmanager)(
  '[SIG-2.1] an alert that Alertmanager took for resolved, and that fires on with the same start, reopens its incident',
  async () => {
    const { fires, ends, again } = await messagesOfAlertmanager();
    const startOf = (body: string) => JSON.parse(body).alerts[0].startsAt;
    expect([startOf(ends), startOf(again)]).toEqual([startOf(fires), startOf(fires)]);
    const watch = await startWatch(UNCHECKED);
    const source = await signalSource(watch, 'alertmanager');
    await source.send(fires);
    await watch.minute();
    await watch.playChain({});
    await source.send(ends);
    await watch.minutes(11);
    expect(await watch.incidents()).toMatchObject([{ state: 'resolved', resolution: 'reported' }]);
    await source.send(again);
    expect(await signalsOf(watch)).toMatchObject([{ status: 'firing' }]);
    expect(await watch.incidents()).toMatchObject([{ state: 'open', reopenings: 1 }]);
    await watch.minute();
    expect(await watch.chains()).toHaveLength(2);
    expect(await watch.messages()).toContain('Checkout: web, Incident #1 was reopened');
    await source.send(ends);
    expect(await watch.incidents()).toMatchObject([{ state: 'verifying' }]);
  },
);

const START = '2026-11-25T23:58:00.000Z';
const promAlert = (status: string) => ({
  ...{ status, startsAt: START, fingerprint: 'f', annotations: {} },
  endsAt: status === 'resolved' ? '2026-11-26T00:01:00Z' : '0001-01-01T00:00:00Z',
  labels: { alertname: 'HighLatency', service: 'web' },
});
const webhook = (version: '1' | '4') => (status: string) => ({
  ...{ version, groupKey: 'g', status },
  alerts: [promAlert(status)],
});

it.each<[SourceKind, (status: string) => object]>([
  ['alertmanager', webhook('4')],
  ['grafana', webhook('1')],
  ['generic', (status) => ({ id: 'f', status, title: 'Down', service: 'web', started_at: START })],
])(
  '[SIG-2.1] of the kind %s, a copy within 60 s of the end is dropped, and a later one reopens the alert',
  async (kind, body) => {
    const watch = await startWatch(UNCHECKED);
    const source = await signalSource(watch, kind);
    await source.send(body('firing'));
    await watch.minute();
    await watch.playChain({});
    await source.send(body('resolved'));
    await watch.after(59 * SECOND);
    await source.send(body('firing'));
    expect(await signalsOf(watch)).toMatchObject([{ status: 'resolved' }]);
    expect(await watch.incidents()).toMatchObject([{ state: 'verifying' }]);
    await watch.after(2 * SECOND);
    await source.send(body('firing'));
    expect(await signalsOf(watch)).toMatchObject([{ status: 'firing' }]);
    expect(await watch.incidents()).toMatchObject([{ state: 'open', number: 1 }]);
  },
);

it('[SIG-2.1] of PagerDuty, what it sent before the end is a copy however late it arrives, and what it sent after isn’t', async () => {
  const watch = await startWatch(UNCHECKED);
  const source = await signalSource(watch, 'pagerduty');
  const event = (status: 'triggered' | 'resolved', occurredAt: string) => ({
    event: {
      ...{ id: occurredAt, event_type: `incident.${status}`, occurred_at: occurredAt },
      data: {
        ...{ id: 'P1', type: 'incident', status, title: 'Down', created_at: START },
        service: { summary: 'web' },
      },
    },
  });
  const triggered = event('triggered', START);
  await source.send(triggered);
  await watch.minutes(3);
  await watch.playChain({});
  await source.send(event('resolved', '2026-11-26T00:02:00Z'));
  await watch.minutes(20);
  await source.send(triggered);
  expect(await watch.incidents()).toMatchObject([{ state: 'resolved' }]);
  await source.send(event('triggered', '2026-11-26T00:20:00Z'));
  expect(await watch.incidents()).toMatchObject([{ state: 'open', reopenings: 1 }]);
});

it('[SIG-2.1] an alert that fires again reopens an incident although checks passed in between', async () => {
  const incidents = { ...testConfig().incidents, verifySeconds: 120 };
  const watch = await startWatch({ incidents });
  const source = await signalSource(watch);
  const firing = signal(watch);
  await watch.minutes(2, { web: 'down' });
  await source.send(firing);
  await watch.playChain({});
  await source.send({ ...firing, status: 'resolved' });
  await watch.minutes(6);
  expect(await watch.incidents()).toMatchObject([{ state: 'resolved', resolution: 'recovered' }]);
  await source.send(firing);
  expect(await watch.incidents()).toMatchObject([{ state: 'open', reopenings: 1 }]);
});

it('[SIG-2.1] an alert that fires again after people resolved its incident and it ended reopens it', async () => {
  const watch = await startWatch(UNCHECKED);
  const source = await signalSource(watch);
  const firing = signal(watch);
  await source.send(firing);
  const [incident] = await watch.incidents();
  const id = encodeId('inc', incident?.id ?? '');
  await resolveIncident(watch.cast.alice, id, { note: 'Planned.' }, watch.now());
  await source.send({ ...firing, status: 'resolved' });
  await watch.minutes(2);
  await source.send(firing);
  expect(await watch.incidents()).toMatchObject([{ state: 'open', reopenings: 1 }]);
});

it('[SIG-2.1] an alert that fires again long after its incident opens another one, which began then', async () => {
  const incidents = { ...testConfig().incidents, reopenSeconds: 600 };
  const watch = await startWatch({ ...UNCHECKED, incidents });
  const source = await signalSource(watch);
  const firing = signal(watch);
  await source.send(firing);
  await watch.minute();
  await watch.playChain({});
  await source.send({ ...firing, status: 'resolved' });
  await watch.minutes(30);
  await source.send(firing);
  const [first, second] = await watch.incidents();
  expect(first).toMatchObject({ state: 'resolved' });
  expect(second).toMatchObject({
    ...{ state: 'open', startedAt: watch.now(), earlierId: first?.id },
  });
});
