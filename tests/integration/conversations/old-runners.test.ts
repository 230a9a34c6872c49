/** A runner whose version cannot read the start of a turn is given none, and the turn says so. */

import { beforeEach, describe, expect, it } from 'vitest';
import { askTurn } from '@/lib/conversations/turns';
import { claimAttempt } from '@/lib/engine/claim';
import { recordHeartbeat } from '@/lib/engine/directives';
import { explainWaits } from '@/lib/engine/sweep/sweep';
import { runnerQueue } from '@/lib/fleet/queues';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { type Capabilities, RUNNER_VERSION } from '@/lib/protocol/schema';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { listEnqueued } from '../engine/support/enqueued';
import { startOne } from '../engine/support/running';
import { answerNext, carried, type Talk, talk } from './support/asking';
import { secondRunner } from './support/second-runner';

const database = useTestDatabase();
let cast: Cast;
let conversation: Talk;
beforeEach(async () => {
  cast = await makeCast();
  conversation = await talk(cast);
});

const { canAsk: _, ...older } = TEST_CAPABILITIES;
const OLD: Capabilities = { ...older, runnerVersion: '1.0.0' };

const beats = (runner: TenantScope, capabilities: Capabilities, at = new Date()) =>
  recordHeartbeat(runner, { protocol: 1, capabilities, running: [] }, at);

const ask = () => askTurn(cast.alice, conversation.id, { message: 'And db?', forceFresh: false });

/** The attempt of the turn that waits, as the sweep hands it to whoever explains it. */
async function waiting() {
  return inTransaction(cast.alice, async (db) => {
    const { id, organizationId, poolId, requiredRunnerId } = await db.attempt.findFirstOrThrow({
      where: { status: 'queued' },
    });
    return { id, organizationId, poolId, requiredRunnerId };
  });
}

async function statusText(): Promise<string> {
  await explainWaits([await waiting()], new Date());
  return (await conversation.lastTurn()).statusText;
}

describe('a turn', () => {
  it('is refused at once where every runner of the pool is too old', async () => {
    await beats(cast.runner, OLD);
    await expect(ask()).rejects.toThrow(
      `runner-1 (version 1.0.0) in pool default is too old to answer questions. Drain it, update its checkout (git pull, npm ci) to ${RUNNER_VERSION} and start it again.`,
    );
    expect(await conversation.turns()).toHaveLength(1);
  });

  it('is not for a runner that is too old, but for the other of its pool', async () => {
    await ask();
    await beats(cast.runner, OLD);
    const able = await secondRunner(cast);
    const alsoOld = await secondRunner(cast, OLD, new Date(), 'third');
    const { id } = await waiting();
    await expect(claimAttempt(cast.runner, id)).rejects.toMatchObject({
      details: { code: 'runner_too_old' },
    });
    expect((await waiting()).id).toBe(id);
    const enqueued = (await listEnqueued(database)).filter(({ attemptId }) => attemptId === id);
    const own = [able, alsoOld].map(({ actor }) => runnerQueue(actor.id));
    expect(own.map((queue) => enqueued.some((each) => each.queue === queue))).toEqual([
      true,
      false,
    ]);
  });

  it('[SAS-1.3] is not for a runner of another pool', async () => {
    await ask();
    const elsewhere = await secondRunner(cast);
    const { organizationId } = cast.alice;
    await inTransaction(cast.alice, async (db) => {
      const pool = await db.runnerPool.create({ data: { organizationId, name: 'other' } });
      await db.runner.updateMany({ where: { id: elsewhere.actor.id }, data: { poolId: pool.id } });
      await db.attempt.updateMany({
        where: { status: 'queued' },
        data: { requiredRunnerId: null },
      });
    });
    const { id } = await waiting();
    await expect(claimAttempt(elsewhere, id)).rejects.toMatchObject({
      details: { code: 'not_this_runner' },
    });
    await claimAttempt(cast.runner, id);
  });

  it('goes to a runner that can, and is not kept for the old one that holds its conversation', async () => {
    const second = await secondRunner(cast, TEST_CAPABILITIES);
    await beats(cast.runner, OLD);
    await ask();
    expect((await waiting()).requiredRunnerId).toBeNull();
    const spec = await answerNext(second, 'db is well');
    expect(carried(spec)).toBe('transcript');
  });

  it('says which runner is too old and what to do, while the one that could is away', async () => {
    await secondRunner(cast, TEST_CAPABILITIES, new Date(Date.now() - 3_600_000));
    await beats(cast.runner, OLD);
    await ask();
    expect(await statusText()).toBe(
      `Waiting for a runner: runner-1 (version 1.0.0) in pool default is too old to answer questions. Drain it, update its checkout (git pull, npm ci) to ${RUNNER_VERSION} and start it again.`,
    );
    await beats(cast.runner, TEST_CAPABILITIES);
    expect(await statusText()).toContain('slots are free');
  });

  it('waits where a runner of the pool never connected: it may be able', async () => {
    await secondRunner(cast, null);
    await beats(cast.runner, OLD);
    await expect(ask()).resolves.toMatch(/^trn_/);
  });
});

it('a tier still goes to a runner that is too old for questions', async () => {
  await beats(cast.runner, OLD);
  await startOne(cast);
  expect((await claimNext(cast.runner)).start).toMatchObject({ purpose: 'tier', tier: 1 });
});
