/** However often and however late the end of a turn's process is told, it counts once. */

import { beforeEach, describe, expect, it } from 'vitest';
import { askTurn } from '@/lib/conversations/turns';
import { settleAttempt, settleLostAttempt } from '@/lib/engine/settle';
import { recordResult } from '@/lib/engine/take-result';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { LEASE_SECONDS } from '@/lib/protocol/schema';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext, eventsOf, type Played, resultOf } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { send } from '../engine/support/running';
import { answerNext, type Talk, talk } from './support/asking';

useTestDatabase();
let cast: Cast;
let worker: TenantScope;
let conversation: Talk;
let spec: AttemptSpec;
beforeEach(async () => {
  cast = await makeCast();
  worker = scopeOfSystem(cast.alice.organizationId);
  conversation = await talk(cast);
  await askTurn(cast.alice, conversation.id, { message: 'And db?', forceFresh: false });
  spec = await claimNext(cast.runner);
});

/** The runner has told everything up to the result; nobody has settled it. */
async function delivered(played: Played, from = 0) {
  const events = eventsOf(spec, { report: null, ...played });
  await send(cast.runner, spec, events.slice(from));
  const result = resultOf(spec, events.length, played, new Date());
  return recordResult(cast.runner, spec.attemptId, result);
}

/** Everything that is stored about the second turn. */
async function rows() {
  const { position } = await conversation.lastTurn();
  return inTransaction(cast.alice, async (db) => {
    const turn = await db.turn.findFirstOrThrow({ where: { position } });
    const where = { sessionId: turn.sessionId };
    const ledger = await db.ledgerEntry.findMany({ where });
    return {
      turn,
      attempts: await db.attempt.findMany({ where, orderBy: { number: 'asc' } }),
      pointers: await db.pointer.findMany({ where, orderBy: { id: 'asc' } }),
      decisions: (await db.decision.findMany({ where, orderBy: { id: 'asc' } })).map(
        ({ kind, verdict }) => [kind, verdict],
      ),
      costs: ledger.map(({ attemptId, costMicros }) => [attemptId, Number(costMicros)]),
      usage: await db.dailyUsage.findMany({}),
    };
  });
}

const settleByMany = async () => {
  await Promise.all(Array.from({ length: 5 }, () => settleAttempt(worker, spec.attemptId)));
  await settleAttempt(worker, spec.attemptId);
};

describe('the end of a turn, settled by five workers at once and once more', () => {
  it('[CNV-2.4] is one answer, one booking and one conversation to go on with', async () => {
    await delivered({ text: 'db is well.', costUsd: 0.03 });
    await settleByMany();
    const { turn, attempts, pointers, decisions, costs, usage } = await rows();
    expect(turn.answer).toBe('db is well.');
    expect(attempts).toHaveLength(1);
    expect(pointers.map(({ state, isLate }) => [state, isLate])).toEqual([['confirmed', false]]);
    expect(decisions).toEqual([
      ['continuation', 'resume'],
      ['after_end', 'answered'],
    ]);
    expect(costs).toEqual([[spec.attemptId, 30_000]]);
    // The first turn cost a cent.
    expect(usage.map(({ costMicros }) => Number(costMicros))).toEqual([40_000]);
  });

  it('[CNV-3.1] after a rejection is one more process', async () => {
    await delivered({
      isSilent: true,
      result: {
        exit: { code: 1, signal: null },
        stderrTail: 'No conversation found with session ID: 0',
        transcriptSeen: false,
      },
    });
    await settleByMany();
    const { turn, attempts, decisions } = await rows();
    expect(turn.answer).toBeNull();
    expect(attempts.map(({ status, onlyMode }) => [status, onlyMode])).toEqual([
      ['ended', null],
      ['queued', 'transcript'],
    ]);
    expect(decisions.slice(1)).toEqual([['after_end', 'again']]);
  });
});

describe('[CNV-2.4] a result under a fencing number that is over', () => {
  /** The runner stops responding after its first events, and the turn runs again. */
  async function lost() {
    const begun = eventsOf(spec, { isSilent: true });
    await send(cast.runner, spec, begun);
    const later = new Date(Date.now() + (LEASE_SECONDS + 1) * 1_000);
    await settleLostAttempt(worker, spec.attemptId, later);
    return begun.length;
  }
  const LATE: Played = { text: 'late words', costUsd: 0.47 };

  async function expectOnlyBooked() {
    await settleByMany();
    const { attempts, pointers, costs } = await rows();
    expect(attempts[0]).toMatchObject({ end: 'lost', isResultLate: true });
    expect(costs.filter(([attemptId]) => attemptId === spec.attemptId)).toEqual([
      [spec.attemptId, 470_000],
    ]);
    const own = pointers.filter(({ attemptId }) => attemptId === spec.attemptId);
    expect(own.map(({ isLate }) => isLate)).toEqual([true]);
    expect(attempts).toHaveLength(2);
  }

  it('changes no answer, and its conversation is not continued', async () => {
    const sent = await lost();
    const again = await answerNext(cast.runner, 'db is well.');
    expect(await delivered(LATE, sent)).toEqual({ decides: false, nextAttemptId: null });
    await expectOnlyBooked();
    expect(await conversation.lastTurn()).toMatchObject({
      status: 'completed',
      answer: 'db is well.',
    });
    expect((await conversation.ask('And mail?')).start.continuation).toEqual({
      mode: 'resume',
      parentCliSessionId: again.start.cliSessionId,
      workDirInode: '1:1',
      sealId: null,
      transcript: null,
    });
  });

  it('that comes before the next process answers does not answer for it', async () => {
    const sent = await lost();
    expect(await delivered(LATE, sent)).toEqual({ decides: false, nextAttemptId: null });
    await expectOnlyBooked();
    expect(await conversation.lastTurn()).toMatchObject({ answer: null, endedAt: null });
    await answerNext(cast.runner, 'db is well.');
    expect(await conversation.lastTurn()).toMatchObject({ answer: 'db is well.' });
  });
});
