/** A worker that dies between any two writes of a settlement leaves nothing half done. */

import { describe, expect, it } from 'vitest';
import { listDueDeliveries } from '@/lib/deliveries/outbox/sending-data';
import { settleAttempt } from '@/lib/engine/settle';
import { enqueueWaiting } from '@/lib/engine/sweep/sweep';
import { verifyAudit } from '@/lib/identity/audit/data';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { runUntilKilled } from '@/tests/support/crash/crashing-process';
import {
  type CrashFixture,
  type SettlementScene,
  unsettled,
} from '@/tests/support/crash/settlements';
import { dumpTenant } from '@/tests/support/crash/tenant-dump';
import { useTestDatabase } from '@/tests/support/database';

const database = useTestDatabase();
/** Settlements that one process is killed in: fewer than it has connections. */
const AT_ONCE = 14;

function settle({ organizationId, attemptId, now }: CrashFixture): Promise<void> {
  return settleAttempt(scopeOfSystem(organizationId), attemptId, now);
}

/** What stands when everything has been done that the next worker does by itself, of settlements of one moment. */
async function endStates(fixtures: readonly CrashFixture[]) {
  const [first] = fixtures;
  const sweptAt = new Date((first?.now.getTime() ?? 0) + 10_000);
  await enqueueWaiting(sweptAt);
  const due = await listDueDeliveries(sweptAt);
  return Promise.all(
    fixtures.map(async (fixture) => ({
      rows: await dumpTenant(database.superuserUrl, fixture),
      audit: await inTransaction(fixture.alice, verifyAudit),
      deliveriesDue: due.filter((each) => each.organizationId === fixture.organizationId).length,
    })),
  );
}

/** Settlements of one kind, the first cut off after write `first`, the next after the one behind it. */
async function killFrom(scene: SettlementScene, first: number) {
  const fixtures: CrashFixture[] = [];
  for (let count = 0; count < AT_ONCE; count += 1) fixtures.push(await unsettled(scene));
  const frozen = await runUntilKilled(database, {
    kind: 'settle',
    now: fixtures[0]?.now.toISOString() ?? '',
    attempts: fixtures.map(({ organizationId, attemptId }, index) => ({
      organizationId,
      attemptId,
      freezeAfter: first + index,
    })),
  });
  return fixtures.map((fixture, index) => ({
    fixture,
    write: first + index,
    isCutOff: frozen.has(fixture.organizationId),
  }));
}

describe('a worker killed in a settlement', () => {
  it.each<[SettlementScene, number]>([
    ['escalate', 11],
    ['finish', 13],
    ['fallback', 10],
    ['answer', 9],
    ['answer again', 9],
  ])(
    '[SAS-3.2] (%s) the next one reaches the same end state, whichever write was the last',
    async (scene, leastWrites) => {
      const calm = await unsettled(scene);
      await settle(calm);
      const [expected] = await endStates([calm]);
      expect(expected?.audit).toMatchObject({ firstBad: null, headMatches: true });
      expect(expected?.rows.ledger_entry?.length).toBeGreaterThan(0);

      let cutOff = 0;
      for (let first = 1; cutOff === first - 1; first += AT_ONCE) {
        const killed = await killFrom(scene, first);
        for (const { fixture } of killed) await settle(fixture);
        const ends = await endStates(killed.map(({ fixture }) => fixture));
        for (const [index, { write, isCutOff }] of killed.entries()) {
          if (isCutOff) cutOff += 1;
          expect(ends[index], `killed after write ${write}`).toEqual(expected);
        }
        // Each write up to the last one was the last once, and none behind it.
        expect(killed.filter(({ isCutOff }) => isCutOff).map(({ write }) => write)).toEqual(
          killed.map(({ write }) => write).filter((write) => write <= cutOff),
        );
      }
      expect(cutOff).toBeGreaterThanOrEqual(leastWrites);
    },
    300_000,
  );
});
