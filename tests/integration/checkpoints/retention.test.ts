/** How long checkpoints are kept: by the age that their project says. */
import pg from 'pg';
import { expect, it } from 'vitest';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { DEFAULT_CHECKPOINTS } from '@/lib/projects/checkpoint-settings';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { pruneRows } from '@/workers/maintenance';
import { saveConfig, send, startOne } from '../engine/support/running';
import { checkpoint } from './support/checkpoint';

const database = useTestDatabase();
const HOUR_MS = 3_600_000;
const NOW = new Date();

/** A session with checkpoints that are so many hours old, and what is left of them. */
async function sessionWith(cast: Cast, hours: readonly number[]) {
  await startOne(cast);
  const spec = await claimNext(cast.runner);
  const digests = hours.map((age) => `${age} h`);
  await send(
    cast.runner,
    spec,
    digests.map((digest) => checkpoint(digest, '/srv/work')),
  );
  await inTransaction(cast.alice, async (db) => {
    for (const age of hours) {
      const createdAt = new Date(NOW.getTime() - age * HOUR_MS);
      await db.checkpoint.updateMany({ where: { digest: `${age} h` }, data: { createdAt } });
    }
  });
  return () =>
    inTransaction(cast.alice, async (db) =>
      (await db.checkpoint.findMany({ orderBy: { seq: 'asc' } })).map(({ digest }) => digest),
    );
}

const days = (retentionDays: number, enabled = true) => ({
  checkpoints: { ...DEFAULT_CHECKPOINTS, retentionDays, enabled },
});

it('[CKP-6.2] each project’s own go by the age it says, and nothing younger does', async () => {
  const one = await sessionWith(await makeCast(days(1)), [25, 23, 1]);
  const seven = await sessionWith(await makeCast(), [7 * 24 + 1, 7 * 24 - 1, 25]);
  await pruneRows(NOW);
  expect(await one()).toEqual(['23 h', '1 h']);
  expect(await seven()).toEqual(['167 h', '25 h']);
});

it('[CKP-6.2] the newest of a session stays while it is inside, and goes by age alone', async () => {
  const left = await sessionWith(await makeCast(days(2)), [60, 47]);
  await pruneRows(NOW);
  expect(await left()).toEqual(['47 h']);
  await pruneRows(new Date(NOW.getTime() + 2 * HOUR_MS));
  expect(await left()).toEqual([]);
});

it('[CKP-6.2] [CKP-7.1] continues where checkpoints are off, by the active setting', async () => {
  const cast = await makeCast();
  const left = await sessionWith(cast, [25, 23]);
  await saveConfig(cast, days(1, false));
  await pruneRows(NOW);
  expect(await left()).toEqual(['23 h']);
});

it('[CKP-6.2] a configuration of an older version keeps them for seven days', async () => {
  const cast = await makeCast();
  const left = await sessionWith(cast, [7 * 24 + 1, 7 * 24 - 1]);
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  await client.query("update project_version set config = config - 'checkpoints'");
  await client.end();
  await pruneRows(NOW);
  expect(await left()).toEqual(['167 h']);
});
