/** Most tests work on a copy of an organization: it is what the services would have made. */
import { expect, it } from 'vitest';
import { verifyAudit } from '@/lib/identity/audit/data';
import { scopeOfMember, scopeOfRunner } from '@/lib/identity/tenancy/make-scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { dumpTenant } from '@/tests/support/crash/tenant-dump';
import { useTestDatabase } from '@/tests/support/database';

const database = useTestDatabase();
const NOW = new Date('2026-11-21T12:00:00Z');

/** Nothing that a test before has copied. */
const UNUSED = { budgets: { chainUsd: 1.23, dayUsd: null, monthUsd: null } };

const dump = ({ alice }: Cast, now: Date) =>
  dumpTenant(database.superuserUrl, {
    organizationId: alice.organizationId,
    alice,
    attemptId: '',
    now,
  });

it('[SAS-1.3] a copied organization has the rows of a new one, as its own', async () => {
  const made = await makeCast(UNUSED, NOW);
  const later = new Date(NOW.getTime() + 3_600_000);
  const copy = await makeCast(UNUSED, later);
  expect(await dump(copy, later)).toEqual(await dump(made, NOW));
  expect(copy.alice.organizationId).not.toBe(made.alice.organizationId);
  const { id = '', label } = copy.alice.actor;
  const { provedAt: _, ...actor } = (await scopeOfMember({ id, label }, copy.organizationSlug))
    .actor as { provedAt?: Date };
  expect(copy.alice.actor).toMatchObject(actor);
  expect(await scopeOfRunner(copy.runnerKey)).toEqual(copy.runner);
  expect(await scopeOfRunner(made.runnerKey)).toEqual(made.runner);
});

it('[SAS-1.3] a copied organization’s audit log is chained and names its own project', async () => {
  await makeCast();
  const { alice, projectId } = await makeCast();
  await inTransaction(alice, async (db) => {
    expect(await verifyAudit(db)).toMatchObject({ firstBad: null, headMatches: true });
    const targets = (await db.auditLog.findMany()).map(({ target }) => target);
    expect(targets).toContain(encodeId('prj', projectId));
  });
});
