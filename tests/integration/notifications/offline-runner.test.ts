import { expect, it } from 'vitest';
import { createEndpoint } from '@/lib/deliveries/endpoints/manage-endpoints';
import { reportOfflineRunners } from '@/lib/fleet/offline';
import { systemDb } from '@/lib/platform/db/global-db';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { RUNNER_API } from '@/lib/platform/health';
import { makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

const MINUTE_MS = 60_000;

/** Says that the runner API has answered from then until now. */
async function apiAnswers(since: Date, now: Date) {
  const seen = { continuousSince: since, lastAt: now };
  await systemDb('test').processHeartbeat.upsert({
    where: { name: RUNNER_API },
    create: { name: RUNNER_API, ...seen },
    update: seen,
  });
}

function told(scope: TenantScope) {
  return inTransaction(scope, (db) =>
    db.webhookDelivery.findMany({ where: { eventType: 'runner.offline' } }),
  );
}

it('[SAS-5.1] runner.offline is sent once for each silence, and never for our own', async () => {
  const { alice } = await makeCast();
  await createEndpoint(alice, {
    url: 'https://hooks.acme.example/t',
    description: '',
    projectId: null,
    eventTypes: ['runner.offline'],
  });
  const now = new Date(Date.now() + 5 * MINUTE_MS);
  await apiAnswers(new Date(now.getTime() - MINUTE_MS / 2), now);
  expect(await reportOfflineRunners(now), 'the API has just come back').toBe(0);
  await apiAnswers(new Date(now.getTime() - 10 * MINUTE_MS), now);
  await reportOfflineRunners(now);
  await reportOfflineRunners(now);
  const [delivery, ...others] = await told(alice);
  expect(others).toEqual([]);
  expect(JSON.parse(delivery?.body ?? '{}')).toMatchObject({
    type: 'runner.offline',
    data: { runner: { pool: 'default' }, summary: expect.stringContaining('stopped responding') },
  });
  const back = new Date(now.getTime() + MINUTE_MS);
  await inTransaction(alice, (db) => db.runner.updateMany({ data: { lastSeenAt: back } }));
  const later = new Date(back.getTime() + 5 * MINUTE_MS);
  await apiAnswers(new Date(later.getTime() - 60 * MINUTE_MS), later);
  await reportOfflineRunners(later);
  expect(await told(alice)).toHaveLength(2);
});
