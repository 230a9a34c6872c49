/** A flood of alerts through the product’s own processes: from the sender to the chain and the messages. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { webhookEventSchema } from '@/lib/deliveries/schema';
import { incidentDetailSchema, incidentDtoSchema } from '@/lib/incidents/view';
import { pageSchema } from '@/lib/platform/http/cursor';
import { signalRequestDtoSchema } from '@/lib/signals/request-schema';
import { signalDtoSchema } from '@/lib/signals/schema';
import { eventually } from '../bootstrap/eventually';
import { createProject } from '../support/system/chain-run';
import { useSharedSystem } from '../support/system/use-system';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver/receiver';

const FINGERPRINTS = 300;
const MESSAGES = 250;
const SIGNALS_EACH = 20;
const SERVICES = ['web', 'db', 'unknown'];

const system = useSharedSystem();

let receiver: WebhookReceiver;
let source: { id: string; token: string };
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  const checks = [{ type: 'tcp' as const, target: '127.0.0.1:9', timeoutSeconds: 5 }];
  const project = await createProject(system.api, {
    name: 'Shop',
    schedule: { kind: 'manual', timeZone: 'UTC' },
    services: [
      { name: 'web', checks },
      { name: 'db', checks },
    ],
  });
  const types = ['opened', 'needs_human', 'verifying', 'resolved', 'reopened'];
  const eventTypes = types.map((type) => `incident.${type}`);
  await system.api.post('webhook-endpoints', { url: receiver.url, eventTypes }, z.unknown());
  source = await system.api.post(
    'signal-sources',
    { project: project.id, kind: 'alertmanager', name: 'Prometheus' },
    z.object({ id: z.string(), token: z.string() }),
  );
});
afterAll(() => receiver?.close());

/** Every third alert flaps: it ends with every second message about it, and begins again with the next. */
function bodyOf(message: number, began: Date): string {
  const signals = Array.from({ length: SIGNALS_EACH }, (_, part) => {
    const index = message * SIGNALS_EACH + part;
    const [number, round] = [index % FINGERPRINTS, Math.floor(index / FINGERPRINTS)];
    const isFlapping = number % 3 === 0;
    return {
      status: isFlapping && round % 2 === 1 ? 'resolved' : 'firing',
      labels: { alertname: `Rule${number}`, service: SERVICES[(number % 7) % 3] },
      annotations: {},
      startsAt: new Date(began.getTime() + (isFlapping ? round - (round % 2) : 0)).toISOString(),
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: '',
      fingerprint: `f${number}`,
    };
  });
  return JSON.stringify({
    version: '4',
    groupKey: '{}',
    status: 'firing',
    receiver: 'x',
    alerts: signals,
  });
}

async function signalCount(): Promise<number> {
  const known = new Set<string>();
  for (let query = 'signals?limit=100'; ; ) {
    const { data, nextCursor } = await system.api.get(query, pageSchema(signalDtoSchema));
    for (const { fingerprint } of data) known.add(fingerprint);
    if (nextCursor === null) return known.size;
    query = `signals?limit=100&cursor=${nextCursor}`;
  }
}

it('[INC-1.3] [INC-2.2] 5,000 alerts from 300 fingerprints are one incident with one chain and one message', async () => {
  const began = new Date(Date.now() - 60_000);
  const statuses: number[] = [];
  const messages = Array.from({ length: MESSAGES }, (_, message) => message).values();
  const post = async () => {
    for (const message of messages) {
      const response = await fetch(`${system.url}/api/signals/${source.id}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${source.token}`, 'content-type': 'application/json' },
        body: bodyOf(message, began),
      });
      statuses.push(response.status);
    }
  };
  await Promise.all(Array.from({ length: 20 }, post));
  expect(statuses).toEqual(Array.from({ length: MESSAGES }, () => 202));
  const requests = `signal-sources/${source.id}/requests?limit=100`;
  await eventually('all of them are processed', async () => {
    const { data } = await system.api.get(requests, pageSchema(signalRequestDtoSchema));
    return data.length > 0 && data.every(({ state }) => state === 'processed');
  });
  expect(await signalCount()).toBe(FINGERPRINTS);
  const { data } = await system.api.get('incidents?limit=100', pageSchema(incidentDtoSchema));
  expect(data).toMatchObject([{ number: 1, state: 'open', source: 'alert' }]);
  const read = () => system.api.get(`incidents/${data[0]?.id}`, incidentDetailSchema);
  await eventually('the agent looks', async () => (await read()).chains.length > 0);
  const incident = await read();
  expect(incident.chains).toMatchObject([{ number: 1 }]);
  expect(incident.timeline.length).toBeLessThan(110);
  await receiver.waitForRequests(1, 60_000);
  const events = receiver.received.map(({ rawBody }) =>
    webhookEventSchema.parse(JSON.parse(rawBody.toString('utf8'))),
  );
  expect(events.map(({ type }) => type)).toEqual(['incident.opened']);
});
