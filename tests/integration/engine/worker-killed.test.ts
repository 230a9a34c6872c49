/** A worker that dies between any two writes of a settlement leaves nothing half done. */
import { afterAll, describe, expect, it } from 'vitest';
import { ringDoorbells } from '@/lib/attempts/service/ring-doorbells';
import { verifyAudit } from '@/lib/audit/data';
import { inTransaction } from '@/lib/db/tenant-db';
import { settleAttempt } from '@/lib/settlement/service';
import { scopeOfSystem } from '@/lib/tenancy/make-scope';
import { listDueDeliveries } from '@/lib/webhooks/sweep/data';
import { CrashingProcesses } from '@/tests/support/crash/crashing-process';
import {
  type CrashFixture,
  type SettlementScene,
  unsettled,
} from '@/tests/support/crash/settlements';
import { dumpTenant } from '@/tests/support/crash/tenant-dump';
import { useTestDatabase } from '@/tests/support/database';

const database = useTestDatabase();
const processes = new CrashingProcesses(database);
/** At once: as many as the machine has cores to load them. */
const ABREAST = 2;

afterAll(() => processes.close());

function settle({ organizationId, attemptId, now }: CrashFixture): Promise<void> {
  return settleAttempt(scopeOfSystem(organizationId), attemptId, now);
}

/** What stands when everything has been done that the next worker does by itself. */
async function endState(fixture: CrashFixture) {
  const sweptAt = new Date(fixture.now.getTime() + 10_000);
  await ringDoorbells(sweptAt);
  const due = await listDueDeliveries(sweptAt);
  return {
    rows: await dumpTenant(database.superuserUrl, fixture),
    audit: await inTransaction(fixture.alice, verifyAudit),
    deliveriesDue: due.filter((each) => each.organizationId === fixture.organizationId).length,
  };
}

describe('a worker killed after a write of a settlement', () => {
  it.each<[SettlementScene, string]>([
    ['escalate', 'the next tier'],
    ['finish', 'the end of the chain'],
    ['fallback', 'a start from the handoff'],
  ])(
    '[SAS-3.2] the next one reaches the same end state, after each write that leads to %s (%s)',
    async (scene) => {
      for (let count = 0; count < ABREAST; count += 1) processes.prepare();
      const calm = await unsettled(scene);
      await settle(calm);
      const expected = await endState(calm);
      expect(expected.audit).toMatchObject({ firstBad: null, headMatches: true });
      expect(expected.rows.ledger_entry?.length).toBeGreaterThan(0);

      let writes = 0;
      let isLast = false;
      const next = async () => {
        while (!isLast) {
          writes += 1;
          const killAfter = writes;
          const fixture = await unsettled(scene);
          const { organizationId, attemptId, now } = fixture;
          const task = {
            kind: 'settle',
            organizationId,
            attemptId,
            now: now.toISOString(),
            killAfter,
          } as const;
          const { isKilled } = await processes.run(task);
          if (!isKilled) isLast = true;
          else processes.prepare();
          await settle(fixture);
          expect(await endState(fixture), `killed after write ${killAfter}`).toEqual(expected);
        }
      };
      await Promise.all(Array.from({ length: ABREAST }, next));
      // Ledger, attempt, session, decision, events, audit, commit and the doorbell, at the least.
      expect(writes).toBeGreaterThan(12);
    },
    180_000,
  );
});
