/** The migration that lets foreign keys delete an organization, over rows that lost theirs before. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { makeCast } from '@/tests/support/cast/organization';
import { runSql, useTestDatabase } from '@/tests/support/database';
import { selectAll } from '../accounts/people';

const database = useTestDatabase();
const MIGRATIONS = ['20261123181000_organization_keys', '20261123182000_organization_keys_valid'];
const NEW_KEYS = [
  ['idempotency_key', 'organization_id'],
  ['model_window', 'organization_id'],
  ['daily_usage', 'organization_id'],
  ['webhook_endpoint', 'organization_id'],
  ['webhook_endpoint', 'organization_id_project_id'],
  ['runner', 'organization_id'],
];

it('[SAS-1.2] it deletes what belongs to no organization, and keeps what does', async () => {
  const { alice } = await makeCast();
  const window = { harness: 'claude', cliVersion: '2.1.197', windowTokens: 1, seenAt: new Date() };
  await inTransaction(alice, (db) =>
    db.modelWindow.create({
      data: { ...window, organizationId: alice.organizationId, model: 'kept' },
    }),
  );
  const dropped = NEW_KEYS.map(
    ([table, columns]) => `alter table ${table} drop constraint ${table}_${columns}_fkey;`,
  );
  const orphan = `insert into model_window (organization_id, harness, cli_version, model, window_tokens, seen_at)
    values (gen_random_uuid(), 'claude', '2.1.197', 'orphan', 1, now())`;
  await runSql(database.superuserUrl, [...dropped, orphan].join('\n'));

  for (const name of MIGRATIONS) {
    await runSql(
      database.ownerUrl,
      readFileSync(`prisma/migrations/${name}/migration.sql`, 'utf8'),
    );
  }
  const rows = await selectAll<{ model: string }>(database, 'select model from model_window', []);
  expect(rows).toEqual([{ model: 'kept' }]);
});
