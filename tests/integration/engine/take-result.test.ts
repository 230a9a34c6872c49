/** A result is settled in the request that brings it; whatever goes wrong there, it is kept. */

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { claimAttempt } from '@/lib/engine/claim';
import { settleAttempt } from '@/lib/engine/settle';
import { takeResult } from '@/lib/engine/take-result';
import { runnerQueue } from '@/lib/fleet/queues';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { enqueueAttempt, takeAttemptJob } from '@/lib/platform/queue/enqueue';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import {
  claimNext,
  eventsOf,
  nextAttemptId,
  type Played,
  resultOf,
  wantsHelp,
} from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { send, startOne } from './support/running';

useTestDatabase();
let cast: Cast;
let chainId: string;
let spec: AttemptSpec;

beforeEach(async () => {
  cast = await makeCast();
  chainId = await startOne(cast);
  spec = await claimNext(cast.runner);
});

/** `before`: how many events come ahead of the result; the others come with it. */
async function end(played: Played, before = Number.POSITIVE_INFINITY) {
  const all = eventsOf(spec, played);
  await send(cast.runner, spec, all.slice(0, before));
  const at = new Date().toISOString();
  const events = all.map((event, index) => ({ seq: index + 1, at, event })).slice(before);
  const result = { ...resultOf(spec, all.length, played, new Date()), events, claimsNext: false };
  const answer = (more = {}) => takeResult(cast.runner, spec.attemptId, { ...result, ...more });
  return { result, answer };
}

async function drain(queue: string): Promise<void> {
  while ((await takeAttemptJob(queue)) !== null);
}

describe('a result', () => {
  it('is answered with the attempt that follows, which its runner may claim at once', async () => {
    const { answer } = await end({ report: wantsHelp() });
    const taken = await answer();
    const nextId = await nextAttemptId(cast.runner);
    expect(taken).toEqual({ decides: true, nextAttemptId: nextId, next: null });
    expect((await claimNext(cast.runner)).start.tier).toBe(2);
  });

  it('brings what follows already claimed to a runner that keeps a slot for it', async () => {
    const { answer } = await end({ report: wantsHelp() });
    const { nextAttemptId: nextId, next } = await answer({ claimsNext: true });
    expect(next).toMatchObject({ attemptId: nextId, start: { tier: 2 } });
    const { attempts } = await readChain(cast.alice, chainId);
    expect(attempts[1]).toMatchObject({ status: 'claimed', runnerId: cast.runner.actor.id });
  });

  it('[FLT-6.2] has no job enqueued for what it brings already claimed', async () => {
    // The next tier resumes, which only this runner can.
    const queue = runnerQueue(cast.runner.actor.id);
    // Connected from here on, so that jobs arrive in the order in which they are enqueued.
    await enqueueAttempt(queue, randomUUID());
    await drain(queue);
    const { answer } = await end({ report: wantsHelp() });
    const { next } = await answer({ claimsNext: true });
    expect(next).not.toBeNull();
    // Enqueued last: if the attempt had a job, that would be taken first.
    const marker = randomUUID();
    await enqueueAttempt(queue, marker);
    expect(await takeAttemptJob(queue)).toBe(marker);
  });

  it('[SAS-3.2] whose answer is lost loses nothing: its repeat brings the same claim', async () => {
    const { answer } = await end({ report: wantsHelp() });
    const own = { claimsNext: true, processId: randomUUID() };
    const first = await answer(own);
    expect(first.next).not.toBeNull();
    expect(await answer(own)).toEqual(first);
    const { attempts } = await readChain(cast.alice, chainId);
    expect(attempts[1]).toMatchObject({ status: 'claimed', fence: 1 });
  });

  it('[SAS-3.2] names what it has claimed also to a repeat that keeps no slot', async () => {
    const { answer } = await end({ report: wantsHelp() });
    const own = { claimsNext: true, processId: randomUUID() };
    const { next, nextAttemptId: nextId } = await answer(own);
    const repeat = await answer({ processId: own.processId });
    expect(repeat).toEqual({ decides: true, nextAttemptId: nextId, next: null });
    const again = claimAttempt(cast.runner, nextId ?? '', new Date(), own.processId);
    expect(await again).toEqual(next);
  });

  it('[SAS-3.2] starts nothing twice when another process of its runner repeats it', async () => {
    const { answer } = await end({ report: wantsHelp() });
    const { nextAttemptId: nextId } = await answer({ claimsNext: true, processId: randomUUID() });
    const repeat = await answer({ claimsNext: true, processId: randomUUID() });
    expect(repeat).toEqual({ decides: true, nextAttemptId: nextId, next: null });
  });

  it('brings nothing again that has begun', async () => {
    const { answer } = await end({ report: wantsHelp() });
    const own = { claimsNext: true, processId: randomUUID() };
    const { next } = await answer(own);
    if (!next) throw new Error('Nothing follows.');
    await send(cast.runner, next, eventsOf(next, {}).slice(0, 2));
    expect(await answer(own)).toEqual({ decides: true, nextAttemptId: null, next: null });
  });

  it('is taken also when what follows may not be started now', async () => {
    const { answer } = await end({ report: wantsHelp() });
    await inTransaction(cast.alice, (db) =>
      db.runner.updateMany({
        where: { id: cast.runner.actor.id },
        data: { drainingAt: new Date() },
      }),
    );
    const taken = await answer({ claimsNext: true });
    expect(taken).toMatchObject({ decides: true, next: null });
    expect(taken.nextAttemptId).not.toBeNull();
    const { attempts } = await readChain(cast.alice, chainId);
    expect(attempts[1]).toMatchObject({ status: 'queued', runnerId: null });
  });

  it('names nothing where nothing follows, and nothing a second time', async () => {
    const first = await end({ report: {} });
    expect(await first.answer()).toEqual({ decides: true, nextAttemptId: null, next: null });
    expect(await first.answer()).toEqual({ decides: true, nextAttemptId: null, next: null });
    const { chain, ledger } = await readChain(cast.alice, chainId);
    expect(chain).toMatchObject({ status: 'ended', outcome: 'healthy' });
    expect(ledger).toHaveLength(1);
  });

  it('brings the last events with it, and each is stored once', async () => {
    const { answer, result } = await end({ report: wantsHelp() }, 2);
    expect(result.events.length).toBeGreaterThan(1);
    expect(await answer()).toMatchObject({ decides: true });
    expect(await answer()).toMatchObject({ decides: true });
    const stored = await inTransaction(cast.alice, (db) =>
      db.sessionEvent.findMany({ where: { attemptId: spec.attemptId }, orderBy: { seq: 'asc' } }),
    );
    expect(stored.map((event) => event.attemptSeq)).toEqual(
      Array.from({ length: result.lastSeq }, (_, index) => index + 1),
    );
  });

  it('[SAS-3.2] that cannot be settled now is kept for the worker', async () => {
    const { answer } = await end({ report: wantsHelp() }, 2);
    const start = { ...spec.start };
    const write = (data: { start: object }) =>
      inTransaction(cast.alice, (db) =>
        db.attempt.updateMany({ where: { id: spec.attemptId }, data }),
      );
    await write({ start: { harness: 'gone' } });
    expect(await answer()).toEqual({ decides: true, nextAttemptId: null, next: null });
    const [kept] = (await readChain(cast.alice, chainId)).attempts;
    expect(kept).toMatchObject({ settledAt: null, end: null });
    expect(kept?.result).not.toBeNull();
    await write({ start });
    await settleAttempt(scopeOfSystem(cast.alice.organizationId), spec.attemptId);
    expect((await readChain(cast.alice, chainId)).sessions).toHaveLength(2);
  });

  it('is refused while events before it are missing, and nothing of it is kept', async () => {
    const { result } = await end({}, 2);
    for (const events of [[], result.events.slice(1)]) {
      const answer = takeResult(cast.runner, spec.attemptId, { ...result, events });
      await expect(answer).rejects.toMatchObject({ details: { expectedSeq: 3 } });
    }
    expect((await readChain(cast.alice, chainId)).attempts[0]?.result).toBeNull();
  });
});
