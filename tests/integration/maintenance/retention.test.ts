/** What goes by age, and what stays whatever its age. Checkpoints have a test of their own. */
import { expect, it } from 'vitest';
import { DELIVERY_RETENTION_DAYS } from '@/lib/deliveries/manage-deliveries';
import { LOG_RETENTION_DAYS } from '@/lib/engine/retention';
import { systemDb } from '@/lib/platform/db/global-db';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { makeCast } from '@/tests/support/cast/organization';
import { claimNext, eventsOf } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { pruneRows } from '@/workers/maintenance';
import { send, startOne } from '../engine/support/running';
import { makeEndpoint, scheduleOne } from '../webhooks/scheduled';

useTestDatabase();
const DAY_MS = 86_400_000;
const DAYS_OF_A_PARTITION = 7;
const NOW = new Date();
const inDays = (days: number) => new Date(NOW.getTime() + days * DAY_MS);

it('the log of a session goes with the week of its session, so many days after its end, and the session stays', async () => {
  const cast = await makeCast();
  await startOne(cast);
  const spec = await claimNext(cast.runner);
  await send(cast.runner, spec, eventsOf(spec, { isSilent: true }));
  const left = () =>
    inTransaction(cast.alice, async (db) => ({
      events: await db.sessionEvent.count({ where: { sessionId: spec.sessionId } }),
      sessions: await db.session.count(),
    }));
  const { events } = await left();
  expect(events).toBeGreaterThan(0);
  // It runs: its age is nobody's business yet.
  await pruneRows(inDays(LOG_RETENTION_DAYS + 1));
  expect(await left()).toEqual({ events, sessions: 1 });
  await inTransaction(cast.alice, (db) =>
    db.session.updateMany({ data: { endedAt: NOW, status: 'completed' } }),
  );
  await pruneRows(inDays(LOG_RETENTION_DAYS - 1));
  expect(await left()).toEqual({ events, sessions: 1 });
  await pruneRows(inDays(LOG_RETENTION_DAYS + DAYS_OF_A_PARTITION));
  expect(await left()).toEqual({ events: 0, sessions: 1 });
});

it('a message that is over goes with what was tried; one that still waits stays', async () => {
  const { scope } = await makeEndpoint('https://hooks.example.com/a');
  const over = await scheduleOne(scope, 'chain.completed:1');
  const waiting = await scheduleOne(scope, 'chain.completed:2');
  await inTransaction(scope, async (db) => {
    await db.webhookDelivery.updateMany({ where: { id: over }, data: { status: 'exhausted' } });
    await db.webhookAttempt.create({
      data: { organizationId: scope.organizationId, deliveryId: over, number: 1, durationMs: 5 },
    });
  });
  const left = () =>
    inTransaction(scope, async (db) => ({
      ids: (await db.webhookDelivery.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id),
      attempts: await db.webhookAttempt.count(),
    }));
  await pruneRows(inDays(DELIVERY_RETENTION_DAYS - 1));
  expect(await left()).toEqual({ ids: [over, waiting], attempts: 1 });
  await pruneRows(inDays(DELIVERY_RETENTION_DAYS + 1));
  expect(await left()).toEqual({ ids: [waiting], attempts: 0 });
});

it('a link to set a new password goes a day after its time was over', async () => {
  const db = systemDb('a test of reset links');
  const user = await db.user.create({
    data: { email: `${NOW.getTime()}@example.com`, name: 'Ana' },
  });
  const link = { userId: user.id, expiresAt: NOW };
  await db.passwordReset.create({ data: { tokenHash: `hash-${NOW.getTime()}`, ...link } });
  const left = () => db.passwordReset.count({ where: { userId: user.id } });
  await pruneRows(inDays(0.5));
  expect(await left()).toBe(1);
  await pruneRows(inDays(1.5));
  expect(await left()).toBe(0);
});
