/** Sweeps serve organizations round-robin, so thousands of rows of one delay nobody else's. */

import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { listDueProjects, startDueSlots } from '@/lib/engine/chains/due-slots-data';
import { DUE_BATCH, startDueChains } from '@/lib/engine/chains/start-chain';
import {
  listExpiredLeases,
  listUnsettled,
  takeUnclaimed,
  UNSETTLED_OF_ONE,
} from '@/lib/engine/sweep/data';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { copyProject, readScheduled, setNextRun } from './support/scheduled-projects';

const database = useTestDatabase();
const SLOT = new Date('2026-11-21T12:00:00Z');
const later = (seconds: number) => new Date(SLOT.getTime() + seconds * 1_000);
const LARGE = 2 * DUE_BATCH + 100;

async function run(sql: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  await client.query(sql, values);
  await client.end();
}

/** Sets columns of every attempt of an organization, each a moment after the one before. */
function setAttempts({ alice }: Cast, columns: string, from: Date): Promise<void> {
  return run(
    `update attempt a set ${columns.replaceAll('$at', `$2::timestamptz + n * interval '1 ms'`)}
      from (select id, row_number() over (order by id) as n from attempt where organization_id = $1) r
      where a.id = r.id`,
    [alice.organizationId, from],
  );
}

describe('[FLT-6.4] beside an organization with thousands of due chains', () => {
  let large: Cast;
  let small: Cast;

  beforeAll(async () => {
    const schedule = { kind: 'interval' as const, everySeconds: 3_600, timeZone: 'UTC' };
    large = await makeCast({ schedule }, later(-100));
    small = await makeCast({ schedule }, later(-100));
    await setNextRun(large.alice, large.projectId, null);
    await copyProject(large.alice, large.projectId, LARGE, SLOT);
    await setNextRun(small.alice, small.projectId, later(5));
  });

  const isSmall = ({ organizationId }: { organizationId: string }) =>
    organizationId === small.alice.organizationId;

  it('another one’s chain that is due last starts in the first batch', async () => {
    const first = await startDueSlots(await listDueProjects(DUE_BATCH, later(10)), later(10));
    expect(first.made).toBe(DUE_BATCH);
    expect(first.waiting.filter(isSmall)).toHaveLength(1);
    expect(await startDueChains(later(10))).toBe(LARGE + 1 - DUE_BATCH);
    const { chains } = await readScheduled(large.alice);
    expect(new Set(chains.map(({ projectId }) => projectId)).size).toBe(LARGE);
    expect(chains).toHaveLength(LARGE);
  });

  it('another one’s lost wake-up job is enqueued by the next sweep', async () => {
    await setAttempts(large, 'queued_at = $at', SLOT);
    await setAttempts(small, 'queued_at = $at', later(60));
    const taken = await takeUnclaimed(later(120), later(130));
    expect(taken.filter(isSmall)).toHaveLength(1);
    expect(taken.length).toBeGreaterThan(100);
    const again = await takeUnclaimed(later(120), later(131));
    expect(again.filter(isSmall)).toEqual([]);
    const ids = new Set([...taken, ...again].map(({ id }) => id));
    expect(ids.size, 'the second sweep continues').toBe(taken.length + again.length);
  });

  it('another one’s expired lease comes first or second', async () => {
    const claimed = `status = 'claimed', lease_expires_at = $at`;
    await setAttempts(large, claimed, SLOT);
    await setAttempts(small, claimed, later(60));
    expect((await listExpiredLeases(later(120))).slice(0, 2).filter(isSmall)).toHaveLength(1);
  });

  it('another one’s result is settled first or second, and few of the large one are enqueued', async () => {
    const reported = `result = '{}', result_at = $at`;
    await setAttempts(large, reported, SLOT);
    await setAttempts(small, reported, later(60));
    const unsettled = await listUnsettled(later(120), later(130));
    expect(unsettled.slice(0, 2).filter(isSmall)).toHaveLength(1);
    expect(unsettled).toHaveLength(UNSETTLED_OF_ONE + 1);
  });
});
