/** The second door: attempts for hosts that reach nothing but the web address. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { claimAttempt } from '@/lib/engine/claim';
import { enqueueWaiting } from '@/lib/engine/sweep/sweep';
import { drainRunner, resumeRunner, revokeRunner, setRunner } from '@/lib/fleet/manage-runners';
import { poolQueue, runnerQueue } from '@/lib/fleet/queues';
import { waitForAttempt } from '@/lib/fleet/wait-for-attempt';
import { scopeOfRunner } from '@/lib/identity/tenancy/make-scope';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { liveHub } from '@/lib/platform/live/hub';
import { enqueueAttempt, takeAttemptJob } from '@/lib/platform/queue/enqueue';
import { type Cast, enrolTestRunner, makeCast } from '@/tests/support/cast/organization';
import { claimNext, nextAttemptId } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { listEnqueued } from '../engine/support/enqueued';
import { refusalOf, startOne } from '../engine/support/running';

const database = useTestDatabase();
const never = new AbortController().signal;
const waits = randomUUID();
let cast: Cast;

beforeEach(async () => {
  cast = await makeCast();
});
afterAll(() => liveHub().close());

const runnerId = (scope: TenantScope) => encodeId('rnr', scope.actor.id);
const another = async (name: string, tiers?: number[]) =>
  scopeOfRunner(await enrolTestRunner(cast.alice, name, tiers));

async function poolOf(scope: TenantScope): Promise<string> {
  const runner = await inTransaction(scope, (db) =>
    db.runner.findFirstOrThrow({ where: { id: scope.actor.id } }),
  );
  return poolQueue(runner.poolId);
}

/** Attempts that hang in the pool's queue. */
async function hanging(scope: TenantScope): Promise<string[]> {
  const queue = await poolOf(scope);
  const enqueued = await listEnqueued(database);
  return enqueued.filter((each) => each.queue === queue).map((each) => each.attemptId);
}

describe('a runner that asks over HTTPS', () => {
  it('[SAS-3.1] is answered when a chain starts, by an attempt that it can claim', async () => {
    const asked = waitForAttempt(cast.runner, never);
    await startOne(cast);
    const { attemptId } = await asked;
    expect(attemptId).toBe(await nextAttemptId(cast.runner));
    const spec = await claimAttempt(cast.runner, attemptId ?? '');
    expect(spec.start.tier).toBe(1);
    expect(await hanging(cast.runner)).toEqual([]);
  });

  it('is answered by its own queue too, where what only its host can continue waits', async () => {
    await enqueueAttempt(runnerQueue(cast.runner.actor.id), 'held-here');
    expect(await waitForAttempt(cast.runner, never)).toEqual({ attemptId: 'held-here' });
  });

  it('[SAS-3.1] of two that ask, one gets the attempt, and the other the next one', async () => {
    const second = await another('runner-2');
    const asked = [cast.runner, second].map((scope) => waitForAttempt(scope, never));
    const queue = await poolOf(cast.runner);
    await enqueueAttempt(queue, 'first');
    const one = await Promise.race(asked);
    expect(one).toEqual({ attemptId: 'first' });
    await enqueueAttempt(queue, 'second');
    expect((await Promise.all(asked)).map((each) => each.attemptId).sort()).toEqual([
      'first',
      'second',
    ]);
  });

  it('[SAS-3.1] many who reach for the same jobs get each of them once', async () => {
    const queue = await poolOf(cast.runner);
    const ids = Array.from({ length: 30 }, (_, n) => `a-${n}`);
    for (const id of ids) await enqueueAttempt(queue, id);
    const taken: string[] = [];
    const reach = async () => {
      for (let id = await takeAttemptJob(queue); id; id = await takeAttemptJob(queue))
        taken.push(id);
    };
    await Promise.all(Array.from({ length: 6 }, reach));
    expect(taken.sort()).toEqual([...ids].sort());
  });

  it('[SAS-3.1] that disconnects while waiting takes nothing with it', async () => {
    const gone = new AbortController();
    const left = waitForAttempt(cast.runner, gone.signal);
    gone.abort();
    expect(await left).toEqual({ attemptId: null });
    await enqueueAttempt(await poolOf(cast.runner), 'still-there');
    expect(await waitForAttempt(await another('runner-2'), never)).toEqual({
      attemptId: 'still-there',
    });
  });

  it('[SAS-3.1] that was answered and never claims: the sweep enqueues it for the next', async () => {
    await startOne(cast);
    const lost = await waitForAttempt(cast.runner, never);
    const asked = waitForAttempt(await another('runner-2'), never);
    await enqueueWaiting(new Date(Date.now() + 60_000));
    expect(await asked).toEqual(lost);
  });

  it('[SAS-1.3] gets nothing of another organization', async () => {
    const stranger = await makeCast();
    const gone = new AbortController();
    const strange = waitForAttempt(stranger.runner, gone.signal);
    await startOne(cast);
    expect((await waitForAttempt(cast.runner, never)).attemptId).not.toBeNull();
    gone.abort();
    expect(await strange).toEqual({ attemptId: null });
  });
});

describe('a runner that may not take work', () => {
  it('waits without taking while it is drained, and takes as soon as it may', async () => {
    await drainRunner(cast.alice, runnerId(cast.runner));
    const asked = waitForAttempt(cast.runner, never);
    await enqueueAttempt(await poolOf(cast.runner), waits);
    expect(await hanging(cast.runner)).toEqual([waits]);
    await resumeRunner(cast.alice, runnerId(cast.runner));
    expect(await asked).toEqual({ attemptId: waits });
  });

  it('learns while waiting that it was revoked', async () => {
    const asked = refusalOf(waitForAttempt(cast.runner, never));
    await revokeRunner(cast.alice, runnerId(cast.runner));
    expect(await asked).toBe('unauthenticated');
    await expect(scopeOfRunner(cast.runnerKey)).rejects.toThrow(/revoked/);
  });

  it('with all the slots it is given in use waits for one', async () => {
    await startOne(cast);
    await waitForAttempt(cast.runner, never);
    await claimNext(cast.runner);
    await setRunner(cast.alice, runnerId(cast.runner), { slotLimit: 1 });
    const asked = waitForAttempt(cast.runner, never);
    await enqueueAttempt(await poolOf(cast.runner), waits);
    expect(await hanging(cast.runner)).toEqual([waits]);
    await setRunner(cast.alice, runnerId(cast.runner), { slotLimit: 2 });
    expect(await asked).toEqual({ attemptId: waits });
  });

  it('[SAS-3.1] limited to other tiers is refused, and one that may take it is told at once', async () => {
    const observer = await another('observer', [2, 3]);
    await startOne(cast);
    const { attemptId } = await waitForAttempt(observer, never);
    const asked = waitForAttempt(cast.runner, never);
    expect(await refusalOf(claimAttempt(observer, attemptId ?? ''))).toBe('tier_not_allowed');
    expect(await asked).toEqual({ attemptId });
    expect((await claimAttempt(cast.runner, attemptId ?? '')).start.tier).toBe(1);
  });
});
