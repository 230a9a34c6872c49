/** Context windows that were learned before they named their agent. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { makeCast } from '@/tests/support/cast/organization';
import { runSql, useTestDatabase } from '@/tests/support/database';

const database = useTestDatabase();
const MIGRATION = 'prisma/migrations/20261123190000_model_window_harness/migration.sql';
const BEFORE = `alter table model_window drop column harness;
  alter table model_window add primary key (organization_id, cli_version, model)`;

it('[ENG-1.2] get it from the migration, for every organization', async () => {
  const casts = [await makeCast(), await makeCast()];
  const windowTokens = 200_000;
  for (const { alice } of casts) {
    const row = { organizationId: alice.organizationId, harness: 'claude', model: 'haiku' };
    const data = ['2.1.197', 'demo-1'].map((cliVersion) => {
      return { ...row, cliVersion, windowTokens, seenAt: new Date() };
    });
    await inTransaction(alice, (db) => db.modelWindow.createMany({ data }));
  }
  await runSql(database.superuserUrl, BEFORE);
  await runSql(database.ownerUrl, readFileSync(MIGRATION, 'utf8'));
  for (const { alice } of casts) {
    const rows = await inTransaction(alice, (db) =>
      db.modelWindow.findMany({ orderBy: { cliVersion: 'asc' } }),
    );
    expect(rows.map(({ harness, cliVersion }) => [harness, cliVersion])).toEqual([
      ['claude', '2.1.197'],
      ['demo', 'demo-1'],
    ]);
  }
});
