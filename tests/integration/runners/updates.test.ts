/** Updates of runners as the control plane sees them: whose turn it is, and how each ends. */

import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { recordHeartbeat } from '@/lib/engine/directives';
import { getRunner, revokeRunner } from '@/lib/fleet/manage-runners';
import { getMe } from '@/lib/fleet/record-capabilities';
import { runnerProgram } from '@/lib/fleet/runner-program';
import {
  cancelUpdate,
  reportUpdateFailure,
  requestUpdate,
  requestUpdates,
} from '@/lib/fleet/updates';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import type { Capabilities } from '@/lib/protocol/schema';
import { ensurePrograms } from '@/scripts/bootstrap/programs.mjs';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { untilBlocked } from '../conversations/support/blocked';
import { secondRunner } from '../conversations/support/second-runner';
import { refusalOf } from '../engine/support/running';

const database = useTestDatabase();

const OLD: Capabilities = {
  ...TEST_CAPABILITIES,
  program: { kind: 'file', sha256: 'a'.repeat(64) },
};
const now = new Date();
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
let cast: Cast;
let second: TenantScope;
let current: string;

const idOf = (scope: TenantScope) => encodeId('rnr', scope.actor.id);
const updateOf = async (scope: TenantScope) => (await getRunner(cast.alice, idOf(scope))).update;
const beat = (scope: TenantScope, capabilities: Capabilities, at = now) =>
  recordHeartbeat(scope, { protocol: 1, capabilities, running: [] }, at);
const updated = (): Capabilities => ({ ...OLD, program: { kind: 'file', sha256: current } });

/** Whether it is told to update at its next heartbeat. */
async function isTold(scope: TenantScope, at = now): Promise<boolean> {
  const { directives } = await beat(scope, OLD, at);
  return directives.some(({ kind }) => kind === 'update');
}

const actions = () =>
  inTransaction(cast.alice, async (db) => {
    const rows = await db.auditLog.findMany({ orderBy: { seq: 'asc' } });
    return rows.map((row) => row.action).filter((action) => action.startsWith('runner.update'));
  });

beforeEach(async () => {
  await ensurePrograms(['runner-file']);
  current = runnerProgram()?.sha256 ?? '';
  cast = await makeCast();
  second = await secondRunner(cast, OLD, now);
  await beat(cast.runner, OLD);
});

describe('[FLT-5.2] updates in a pool', () => {
  it('are made one at a time, however many ask at once', async () => {
    expect(await requestUpdates(cast.alice, {}, now)).toHaveLength(2);
    expect(await requestUpdates(cast.alice, {}, now)).toHaveLength(0);
    const both = [cast.runner, second];
    for (let round = 0; round < 5; round += 1) {
      const told = await Promise.all(both.map((scope) => isTold(scope)));
      expect(told.filter(Boolean)).toHaveLength(1);
    }
    const [one, two] = (await isTold(cast.runner)) ? both : both.toReversed();
    if (!one || !two) throw new Error('There are two runners.');
    expect(await getMe(one)).toMatchObject({ isDraining: true });
    expect(await getMe(two)).toMatchObject({ isDraining: false });
    expect((await updateOf(two)).state).toBe('waiting');
    await beat(one, updated());
    expect(await updateOf(one)).toMatchObject({ state: 'none', isAvailable: false });
    expect(await getMe(one)).toMatchObject({ isDraining: false });
    expect(await isTold(two)).toBe(true);
    await beat(two, updated());
    expect((await actions()).filter((action) => action === 'runner.updated')).toHaveLength(2);
  });

  it('wait for what another process is deciding about their pool', async () => {
    await requestUpdates(cast.alice, {}, now);
    const other = new pg.Client({ connectionString: database.superuserUrl });
    await other.connect();
    try {
      await other.query('begin');
      const { id } = cast.runner.actor;
      await other.query(
        `select p.id from runner_pool p join runner r on r.pool_id = p.id where r.id = $1 for update of p`,
        [id],
      );
      await other.query('update runner set update_started_at = $2 where id = $1', [id, now]);
      const told = isTold(second);
      await Promise.race([told, untilBlocked(other)]);
      await other.query('commit');
      expect(await told).toBe(false);
    } finally {
      await other.end();
    }
  });

  it('stop at the first that fails, which says why, and can be requested again', async () => {
    await requestUpdates(cast.alice, { pool: 'default' }, now);
    expect(await isTold(cast.runner)).toBe(true);
    await reportUpdateFailure(cast.runner, { sha256: current, reason: 'It exited.' }, now);
    expect(await updateOf(cast.runner)).toMatchObject({ state: 'failed', failure: 'It exited.' });
    expect((await updateOf(second)).failure).toMatch(/^Not tried, since the update of runner-1 /);
    expect(await isTold(second)).toBe(false);
    await requestUpdate(cast.alice, idOf(cast.runner), now);
    expect((await updateOf(cast.runner)).failure).toBeNull();
    await beat(cast.runner, updated());
    expect((await updateOf(cast.runner)).state).toBe('none');
  });

  it('do not wait for ever for a runner that went away in the middle', async () => {
    await requestUpdates(cast.alice, {}, now);
    expect(await isTold(cast.runner)).toBe(true);
    expect(await isTold(second, later(14))).toBe(false);
    expect(await isTold(second, later(16))).toBe(false);
    expect((await updateOf(cast.runner)).failure).toMatch(/went offline while it was updated/);
  });

  it('of other pools are not held up, and other organizations are not touched', async () => {
    const other = await makeCast();
    await beat(other.runner, OLD);
    await requestUpdates(cast.alice, { pool: 'elsewhere' }, now);
    expect((await updateOf(cast.runner)).state).toBe('none');
    await requestUpdates(cast.alice, {}, now);
    expect(await isTold(cast.runner)).toBe(true);
    expect(await isTold(other.runner)).toBe(false);
    await requestUpdates(other.alice, {}, now);
    expect(await isTold(other.runner)).toBe(true);
  });
});

describe('[FLT-5.2] an update', () => {
  it('is cancelled while it waits, and by a revocation', async () => {
    await requestUpdate(cast.alice, idOf(cast.runner), now);
    await cancelUpdate(cast.alice, idOf(cast.runner), now);
    expect(await isTold(cast.runner)).toBe(false);
    await requestUpdate(cast.alice, idOf(second), now);
    expect(await isTold(second)).toBe(true);
    await revokeRunner(cast.alice, idOf(second), now);
    await requestUpdate(cast.alice, idOf(cast.runner), now);
    expect(await isTold(cast.runner)).toBe(true);
    expect(await actions()).toEqual([
      'runner.update_requested',
      'runner.update_cancelled',
      'runner.update_requested',
      'runner.update_requested',
    ]);
  });

  it.each<[string, Capabilities['program'], RegExp]>([
    ['a checkout', { kind: 'checkout', sha256: null }, /runs from a checkout.*git pull/],
    ['a container', { kind: 'container', sha256: null }, /runs in a container.*image/],
    ['a runner from before', undefined, /can’t update itself/],
  ])('is refused to %s with the reason, and never sent to it', async (_name, program, reason) => {
    const { program: _, ...rest } = OLD;
    const capabilities = program ? { ...rest, program } : rest;
    await beat(cast.runner, capabilities);
    expect((await updateOf(cast.runner)).obstacle).toMatch(reason);
    expect(await refusalOf(requestUpdate(cast.alice, idOf(cast.runner), now))).toBe('conflict');
    expect((await requestUpdates(cast.alice, {}, now)).map(({ name }) => name)).toEqual(['second']);
  });

  it('[SAS-1.3] takes an admin; a stranger finds nothing', async () => {
    const operator = { ...cast.alice, role: 'operator' as const };
    const id = idOf(cast.runner);
    expect(await refusalOf((async () => requestUpdate(operator, id))())).toBe('forbidden');
    expect(await refusalOf((async () => requestUpdates(operator, {}))())).toBe('forbidden');
    const stranger = await makeCast();
    expect(await refusalOf(requestUpdate(stranger.alice, id))).toBe('not_found');
    expect(await actions()).toEqual([]);
  });
});
