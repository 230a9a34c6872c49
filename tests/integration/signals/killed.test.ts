/** A web process that is killed between any two writes loses no alert that it has accepted. */

import { afterAll, expect, it } from 'vitest';
import { recordSignalChanges } from '@/lib/incidents/record-signals';
import { subscribeIncidents } from '@/lib/incidents/subscriptions';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { subscribe } from '@/lib/platform/domain-events';
import { requireId } from '@/lib/platform/ids';
import { signalsChanged } from '@/lib/signals/domain-events';
import { sweepSignals } from '@/lib/signals/sweep';
import { runUntilKilled } from '@/tests/support/crash/crashing-process';
import { useTestDatabase } from '@/tests/support/database';
import { fixture } from './support/fixtures';
import { makeSender, openServer, type Sender } from './support/sending';

const database = useTestDatabase();
afterAll(subscribeIncidents);

const BODY = fixture('alertmanager_firing_3');
const COUNT = 3;
/** The body is stored by the first, and its transaction committed by the second. */
const COMMIT = 2;
/** After which write each process is killed; the last one comes to its end. Each holds a connection. */
const KILLED_AFTER = [1, 2, 3, 5, 8, 12, 99];

function stored({ cast, source }: Sender) {
  const sourceId = requireId('als', source.id);
  return inTransaction(cast.alice, async (db) => ({
    deliveries: await db.signalRequest.count({ where: { sourceId } }),
    states: (await db.signalRequest.findMany({ where: { sourceId } })).map(({ state }) => state),
    alerts: await db.signal.count({ where: { sourceId } }),
    incidents: await db.incident.count({}),
    joined: await db.incidentSignal.count({}),
  }));
}

it('[INC-1.3] a kill at any write between accepting and processing loses and doubles nothing', async () => {
  const server = await openServer();
  const senders: Sender[] = [];
  for (const _write of KILLED_AFTER) senders.push(await makeSender('alertmanager'));
  const frozen = await runUntilKilled(database, {
    kind: 'post_alert',
    now: new Date().toISOString(),
    requests: senders.map(({ cast, source }, index) => ({
      organizationId: cast.alice.organizationId,
      sourceId: source.id,
      token: source.token,
      body: BODY,
      freezeAfter: KILLED_AFTER[index] ?? 0,
    })),
  });
  expect(frozen.size).toBeGreaterThan(COMMIT + 2);
  const published = new Map<string, number>();
  subscribe(signalsChanged, 'incidents', async (db, scope, payload, now) => {
    const before = published.get(scope.organizationId) ?? 0;
    published.set(scope.organizationId, before + payload.changes.length);
    return recordSignalChanges(db, scope, payload, now);
  });
  const before = await Promise.all(senders.map(stored));
  await sweepSignals(new Date(Date.now() + 10_000));
  for (const [index, sender] of senders.entries()) {
    const write = KILLED_AFTER[index] ?? 0;
    const at = `write ${write}`;
    const isAccepted = write >= COMMIT;
    expect(before[index]?.deliveries, at).toBe(isAccepted ? 1 : 0);
    // Each transaction was taken back or kept as a whole.
    expect([0, COUNT], at).toContain(before[index]?.alerts);
    const wasProcessed = before[index]?.states.includes('processed') ?? false;
    expect(before[index]?.alerts, at).toBe(wasProcessed ? COUNT : 0);
    const after = await stored(sender);
    expect(after.alerts, at).toBe(isAccepted ? COUNT : 0);
    expect(after.states, at).toEqual(isAccepted ? ['processed'] : []);
    const organizationId = sender.cast.alice.organizationId;
    const expected = isAccepted && !wasProcessed ? COUNT : undefined;
    expect(published.get(organizationId), at).toBe(expected);
    // The sender that got no answer sends it again.
    expect(await sender.deliver(BODY), at).toMatchObject({ state: 'processed' });
    // One outage, in the transaction that stored its alerts.
    const both = { alerts: COUNT, incidents: 1, joined: COUNT };
    expect(await stored(sender), at).toMatchObject(both);
    expect(published.get(organizationId) ?? COUNT, at).toBe(COUNT);
  }
  expect(before.some(({ states }) => states.includes('received'))).toBe(true);
  expect(before.some(({ states }) => states.includes('processed'))).toBe(true);
  await server.close();
});
