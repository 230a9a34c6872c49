/** Alerts through the product’s own processes, as a sender on the network sees them. */

import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pageSchema } from '@/lib/platform/http/cursor';
import { signalRequestDtoSchema } from '@/lib/signals/request-schema';
import { signalDtoSchema } from '@/lib/signals/schema';
import { eventually } from '../bootstrap/eventually';
import { fixture } from '../integration/signals/support/fixtures';
import { createProject } from '../support/system/chain-run';
import { useSharedSystem } from '../support/system/use-system';
import { openWebSession } from './support/web-session';

const system = useSharedSystem();

let source: { id: string; token: string };
beforeAll(async () => {
  const project = await createProject(system.api, {
    name: 'Shop',
    schedule: { kind: 'manual', timeZone: 'UTC' },
    services: [
      { name: 'web', checks: [{ type: 'tcp', target: '127.0.0.1:9', timeoutSeconds: 5 }] },
    ],
  });
  source = await system.api.post(
    'signal-sources',
    { project: project.id, kind: 'alertmanager', name: 'Prometheus' },
    z.object({ id: z.string(), token: z.string() }),
  );
});

function send(body: string, token = source.token, path = '/api/signals'): Promise<Response> {
  return fetch(`${system.url}${path}/${source.id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
    redirect: 'manual',
  });
}

const signals = () => system.api.get('signals', pageSchema(signalDtoSchema));
const requests = () =>
  system.api.get(`signal-sources/${source.id}/requests`, pageSchema(signalRequestDtoSchema));

it('senders and programs that were set up with the former addresses are still served', async () => {
  const sent = await send('{}', source.token, '/api/alerts');
  expect([sent.status, sent.headers.get('location')]).toEqual([202, null]);
  expect((await send('{}', 'wrong', '/api/alerts')).status).toBe(401);
  const page = pageSchema(signalRequestDtoSchema);
  const former = await system.api.get(`alert-sources/${source.id}/deliveries`, page);
  expect(former.data.map(({ id }) => id)).toEqual((await requests()).data.map(({ id }) => id));
  expect(await system.api.get('alerts', pageSchema(signalDtoSchema))).toEqual(await signals());
});

describe('the section Alerts of a project’s settings', () => {
  it('[INC-1.3] shows the source, its address and what it sent', async () => {
    expect((await send('{')).status).toBe(202);
    await eventually(
      'it is processed',
      async () => (await requests()).data[0]?.state === 'unparsed',
    );
    const session = await openWebSession(system.url, system.account);
    const { text } = await session.get(
      `/${session.organizationSlug}/projects/shop/settings/alerts?source=${source.id}`,
    );
    for (const shown of ['Prometheus', source.id, 'credentials_file', 'The body isn’t JSON.']) {
      expect(text).toContain(shown);
    }
    expect(text).not.toContain(source.token);
    // The token of a new source appears in the form, and its cards must not push it out of sight.
    expect(text.indexOf('Add an alert source')).toBeLessThan(text.indexOf('Last requests'));
  });
});

describe('a sender', () => {
  it('[INC-1.3] is answered 202, and what it sent is processed', async () => {
    const started = performance.now();
    const response = await send(fixture('alertmanager_firing_3'));
    expect(response.status).toBe(202);
    // PagerDuty gives up after five seconds.
    expect(performance.now() - started).toBeLessThan(5_000);
    await eventually('it is processed', async () => (await signals()).data.length === 3);
  });

  it('[INC-1.3] with a wrong token is answered 401, and never redirected to the sign-in page', async () => {
    const response = await send(fixture('alertmanager_firing'), 'wrong');
    expect(response.status).toBe(401);
    expect(response.headers.get('content-type')).toContain('json');
  });

  it('[INC-1.3] of a body above the limit is answered 413, however large it is', async () => {
    for (const bytes of [1_048_577, 12_000_000]) {
      expect((await send('x'.repeat(bytes))).status).toBe(413);
    }
    const reasons = (await requests()).data.map(({ reason }) => reason);
    expect(reasons).toContain('too_large');
  });

  it('[INC-1.3] loses nothing when the web process is killed right after its answer', async () => {
    const accepted = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        send(fixture('alertmanager_firing').replace('8edcf88e29d747b3', `killed${number}`)),
      ),
    );
    await system.web.end('SIGKILL');
    expect(accepted.map(({ status }) => status)).toEqual(accepted.map(() => 202));
    system.web.start();
    await system.webAnswers();
    await eventually('all of them are processed', async () => {
      const { data } = await signals();
      return data.filter(({ fingerprint }) => fingerprint.startsWith('killed')).length === 20;
    });
  });
});
