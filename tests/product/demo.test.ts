import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpointWithSecretSchema } from '@/lib/deliveries/endpoints/schema';
import { webhookEventSchema } from '@/lib/deliveries/schema';
import { breakDemo } from '@/lib/projects/demo-service/client';
import type { DemoFault } from '@/lib/projects/demo-service/schema';
import { seedDemo } from '@/scripts/bootstrap/demo-account.mjs';
import { eventually } from '../bootstrap/eventually';
import { accountOf } from '../support/system/account';
import { apiClient } from '../support/system/api-client';
import { runChain, sessionsOf } from '../support/system/chain-run';
import { useSharedSystem } from '../support/system/use-system';
import {
  startWebhookReceiver,
  verifyReceived,
  type WebhookReceiver,
} from '../support/webhook-receiver/receiver';

const PROJECT = 'checkout';

const system = useSharedSystem();
/** The pauses are for people who watch. */
const WITHOUT_PAUSES = {
  TIERWATCH_RUNNER_PASS_ENV: 'TIERWATCH_DEMO_PACE_MS',
  TIERWATCH_DEMO_PACE_MS: '0',
};

describe('the demo, as npm start seeds it', () => {
  let receiver: WebhookReceiver;
  let secret: string;
  let api: typeof system.api;
  /** The data folder of the system. */
  let home: string;

  beforeAll(async () => {
    home = system.workerEnvironment.TIERWATCH_DATA_DIR ?? '';
    receiver = await startWebhookReceiver();
    system.demoService.start();
    await eventually('the demo service is ready', () =>
      system.demoService.output().includes('demo service ready'),
    );
    await seedDemo(system.workerEnvironment, path.join(home, 'runner'));
    const file = readFileSync(path.join(home, 'demo-account.json'), 'utf8');
    const seeded = JSON.parse(file) as { email: string; organization: string };
    api = apiClient(system.url, (await accountOf(seeded.email, seeded.organization)).token);
    system.localRunner.start(WITHOUT_PAUSES);
    // A chain by schedule or on a failing check that fell into a test would be one too many.
    const change = {
      schedule: { kind: 'manual', timeZone: 'UTC' },
      monitoring: { everySeconds: null },
    };
    expect((await api.send('PATCH', `projects/${PROJECT}`, change)).status).toBe(200);
    const body = { url: receiver.url, eventTypes: ['chain.completed'] };
    secret = (await api.post('webhook-endpoints', body, endpointWithSecretSchema)).secret;
  });
  afterAll(async () => {
    for (const process of [system.localRunner, system.demoService]) await process?.end();
    await receiver?.close();
  });

  async function run(fault: DemoFault | null) {
    if (fault) expect(await breakDemo(home, fault)).toMatchObject({ ok: true });
    const before = receiver.received.length;
    const chain = await runChain(api, PROJECT);
    const received = await receiver.waitForRequests(before + 1, 30_000);
    const request = received[before];
    if (!request) throw new Error('No webhook came.');
    const payload = webhookEventSchema.parse(verifyReceived(request, secret));
    return { chain, sessions: await sessionsOf(api, chain), payload, request };
  }

  it('with no fault ends healthy in one session', async () => {
    const { chain, sessions } = await run(null);
    expect(chain.outcome).toBe('healthy');
    expect(sessions.map(({ tier, status }) => [tier, status])).toEqual([[1, 'completed']]);
    expect(chain.services.map(({ name, status }) => [name, status]).sort()).toEqual([
      ['api', 'healthy'],
      ['db', 'healthy'],
      ['web', 'healthy'],
    ]);
  });

  it('[RES-2.1] tier 2 repairs a crash and continues the conversation of tier 1', async () => {
    const { chain, sessions } = await run('crash');
    expect(chain).toMatchObject({ outcome: 'fixed', highestTier: 2 });
    expect(sessions.map(({ tier, mechanism }) => [tier, mechanism])).toEqual([
      [1, 'fresh'],
      [2, 'resume'],
    ]);
    expect(sessions[1]?.report?.actions_taken).toEqual([
      expect.objectContaining({ action: 'restart' }),
    ]);
    expect(chain.services.filter(({ statusBefore }) => statusBefore !== 'healthy')).not.toEqual([]);
    expect(chain.services.filter(({ status }) => status !== 'healthy')).toEqual([]);
  });

  it('[RES-2.2] [SAS-5.1] a broken configuration needs tier 3; the summary is verified by the reference library', async () => {
    const { chain, sessions, payload, request } = await run('config');
    expect(chain).toMatchObject({ outcome: 'fixed', highestTier: 3 });
    expect(sessions.map(({ mechanism }) => mechanism)).toEqual(['fresh', 'resume', 'resume']);
    expect(payload).toMatchObject({
      type: 'chain.completed',
      data: {
        project: { slug: PROJECT },
        chain: { id: chain.id, number: chain.number, outcome: 'fixed', highestTier: 3 },
        sessions: sessions.map(({ number, tier, costUsd }) => ({ number, tier, costUsd })),
        totalCostUsd: chain.totalCostUsd,
      },
    });
    // Costs per tier, and their sum.
    const sum = sessions.reduce((total, session) => total + session.costUsd, 0);
    expect(chain.totalCostUsd).toBeCloseTo(sum, 6);
    expect(request.headers).toMatchObject({
      'webhook-id': expect.any(String),
      'webhook-signature': expect.stringMatching(/^v1,/),
    });
    const forged = { ...request, rawBody: Buffer.from(`${request.rawBody.toString()} `) };
    expect(() => verifyReceived(forged, secret)).toThrow();
  });
});
