/** What an admin does to a runner, and what it says to those who wait for one. */

import { beforeEach, describe, expect, it } from 'vitest';
import { recordHeartbeat } from '@/lib/engine/directives';
import { enqueueWaiting } from '@/lib/engine/sweep/sweep';
import { createEnrolment, getRunner, revokeRunner, setRunner } from '@/lib/fleet/manage-runners';
import { confirmKey, enrolRunner, issueKey, rotateKey } from '@/lib/fleet/runner-keys';
import { scopeOfRunner } from '@/lib/identity/tenancy/make-scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import { claimNext } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { refusalOf, startOne } from '../engine/support/running';

useTestDatabase();
let cast: Cast;
let id: string;

beforeEach(async () => {
  cast = await makeCast();
  id = encodeId('rnr', cast.runner.actor.id);
});

const actions = () =>
  inTransaction(cast.alice, async (db) => {
    const rows = await db.auditLog.findMany({ orderBy: { seq: 'asc' } });
    return rows.map((row) => row.action).filter((action) => action.startsWith('runner.'));
  });

describe('a runner’s key', () => {
  it('is exchanged: both are good until the new one is confirmed, then it alone', async () => {
    expect(await refusalOf(issueKey(cast.runner))).toBe('conflict');
    await rotateKey(cast.alice, id);
    const first = await issueKey(cast.runner);
    const { key } = await issueKey(cast.runner);
    expect(await refusalOf(scopeOfRunner(first.key))).toBe('unauthenticated');
    expect((await scopeOfRunner(cast.runnerKey)).actor.id).toBe(cast.runner.actor.id);
    const scope = await scopeOfRunner(key);
    expect(await refusalOf(confirmKey(scope, first.key))).toBe('unauthenticated');
    for (const _ of ['once', 'again']) await confirmKey(scope, key);
    expect(await refusalOf(scopeOfRunner(cast.runnerKey))).toBe('unauthenticated');
    expect((await scopeOfRunner(key)).actor.id).toBe(cast.runner.actor.id);
    expect(await getRunner(cast.alice, id)).toMatchObject({ rotationRequestedAt: null });
    expect(await actions()).toEqual(['runner.key_rotation_requested', 'runner.key_rotated']);
  });

  it('from the environment of its host cannot be exchanged from here', async () => {
    const capabilities = { ...TEST_CAPABILITIES, keySource: 'environment' as const };
    await recordHeartbeat(cast.runner, { protocol: 1, capabilities, running: [] });
    expect(await refusalOf(rotateKey(cast.alice, id))).toBe('conflict');
    expect(await actions()).toEqual([]);
  });

  it('that is on its way is refused with the old one once the runner is revoked', async () => {
    await rotateKey(cast.alice, id);
    const { key } = await issueKey(cast.runner);
    await revokeRunner(cast.alice, id);
    for (const each of [cast.runnerKey, key]) {
      expect(await refusalOf(scopeOfRunner(each))).toBe('unauthenticated');
    }
    expect(await refusalOf(rotateKey(cast.alice, id))).toBe('conflict');
  });
});

describe('who may change a runner', () => {
  it.each([
    ['rotate', () => rotateKey],
    ['revoke', () => revokeRunner],
    [
      'set',
      () => (scope: Cast['alice'], runner: string) => setRunner(scope, runner, { slotLimit: 1 }),
    ],
  ])('[SAS-1.3] to %s it takes an admin; a stranger finds nothing', async (_name, act) => {
    const operator = { ...cast.alice, role: 'operator' as const };
    expect(await refusalOf((async () => act()(operator, id))())).toBe('forbidden');
    const stranger = await makeCast();
    expect(await refusalOf(act()(stranger.alice, id))).toBe('not_found');
    expect(await actions()).toEqual([]);
  });

  it('tiers and slots are set here, and audited with what they were', async () => {
    await setRunner(cast.alice, id, { allowedTiers: [1], slotLimit: 2 });
    await setRunner(cast.alice, id, { slotLimit: 2 });
    expect(await getRunner(cast.alice, id)).toMatchObject({ slots: 2, allowedTiers: [1] });
    await recordHeartbeat(cast.runner, {
      protocol: 1,
      capabilities: TEST_CAPABILITIES,
      running: [],
    });
    expect(await getRunner(cast.alice, id)).toMatchObject({ slots: 2 });
    await setRunner(cast.alice, id, { slotLimit: null });
    expect(await getRunner(cast.alice, id)).toMatchObject({ slots: TEST_CAPABILITIES.slots });
    expect(await actions()).toEqual(['runner.changed', 'runner.changed']);
  });
});

it('[SAS-3.3] a revoke gives what runs the time of a stop, not of a lease', async () => {
  await startOne(cast);
  const spec = await claimNext(cast.runner);
  const now = new Date();
  await revokeRunner(cast.alice, id, now);
  const attempt = await inTransaction(cast.alice, (db) =>
    db.attempt.findFirstOrThrow({ where: { id: spec.attemptId } }),
  );
  expect(attempt.leaseExpiresAt).toEqual(new Date(now.getTime() + 10_000));
});

it('a host is let in under a name that is free, and known by the token that let it in', async () => {
  const enrol = async (isNameSuggested: boolean) => {
    const { id: enrolmentId, token } = await createEnrolment(cast.alice, {
      pool: 'default',
      allowedTiers: [1],
      slotLimit: 3,
    });
    const enrolled = await enrolRunner({ protocol: 1, token, name: 'runner-1', isNameSuggested });
    return { enrolmentId, enrolled };
  };
  const { enrolled, enrolmentId } = await enrol(true);
  expect(await getRunner(cast.alice, enrolled.runnerId)).toMatchObject({
    name: 'runner-1-2',
    enrolmentId,
    slotLimit: 3,
    allowedTiers: [1],
    status: 'never',
    problems: [{ code: 'never_connected' }],
  });
  expect(await refusalOf(enrol(false))).toBe('conflict');
});

describe('a chain that waits says why, wherever it is shown', () => {
  const inAWhile = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  const textAfterSweep = async (chainId: string, now: Date) => {
    await enqueueWaiting(now);
    return (await readChain(cast.alice, chainId)).chain.statusText;
  };

  it('no slot, no tier, nobody online, nobody at all', async () => {
    const chainId = await startOne(cast);
    expect(await textAfterSweep(chainId, inAWhile(0.5))).toMatch(/4 of 4 slots are free/);
    await setRunner(cast.alice, id, { allowedTiers: [2, 3] });
    expect(await textAfterSweep(chainId, inAWhile(0.7))).toMatch(/allows tier 1/);
    expect(await textAfterSweep(chainId, inAWhile(5))).toMatch(
      /no runner in pool default is online\. runner-1 was last seen 20\d\d-\d\d-\d\d \d\d:\d\d UTC/,
    );
    await revokeRunner(cast.alice, id);
    expect(await textAfterSweep(chainId, inAWhile(6))).toMatch(/pool default has none/);
  });
});
