import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { TenantScope } from '@/lib/platform/db/scope';
import { rowsOf } from '@/lib/platform/db/sql';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { useTestDatabase } from '@/tests/support/database';
import { signedUp } from './people';

useTestDatabase();

/** Which organization a transaction sees, by raw SQL, while another one is open beside it. */
async function seenBeside(scopes: readonly TenantScope[]): Promise<string[]> {
  let open = 0;
  let allAreOpen = () => {};
  const opened = new Promise<void>((resolve) => {
    allAreOpen = resolve;
  });
  return Promise.all(
    scopes.map((scope) =>
      inTransaction(scope, async (db) => {
        await db.membership.count();
        open += 1;
        if (open === scopes.length) allAreOpen();
        await opened;
        const rows = await rowsOf(db, sql<{ id: string }>`select id::text from organization`);
        return rows.map((row) => row.id).join();
      }),
    ),
  );
}

describe('[SAS-1.3] transactions of two organizations at the same moment', () => {
  it('each run raw SQL in their own', async () => {
    const [alice, charlie] = [await signedUp(), await signedUp({ name: 'Charlie' })];
    const seen = await seenBeside([alice.scope, charlie.scope]);
    expect(seen).toEqual([alice.organizationId, charlie.organizationId]);
  });
});
