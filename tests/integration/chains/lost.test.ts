import { describe, expect, it } from 'vitest';
import { expireLeases } from '@/lib/attempts/service/expire-leases';
import { recordEvents } from '@/lib/attempts/service/record-events';
import { recordResult } from '@/lib/attempts/service/record-result';
import { startChain } from '@/lib/chains/service/start-chain';
import { inTransaction } from '@/lib/db/tenant-db';
import type { AttemptSpec } from '@/lib/runner-protocol/spec';
import { recordPresence } from '@/lib/runners/presence/data';
import { recordHeartbeat } from '@/lib/runners/service/record-heartbeat';
import { settleAttempt } from '@/lib/settlement/service/settle-attempt';
import { scopeOfSystem } from '@/lib/tenancy/make-scope';
import type { TenantScope } from '@/lib/tenancy/scope';
import { type Cast, makeCast, TEST_POSTURE } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import {
  claimNext,
  eventsOf,
  type Played,
  play,
  resultOf,
  wantsHelp,
} from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

const START = new Date('2026-11-21T12:00:00Z');
const at = (seconds: number) => new Date(START.getTime() + seconds * 1_000);

const restart: Played = {
  events: [
    {
      kind: 'tool_call',
      messageId: 'm',
      toolUseId: 'restart-1',
      tool: 'Bash',
      input: { command: 'docker restart web' },
      parentToolUseId: null,
    },
  ],
};

function send(
  runner: TenantScope,
  spec: AttemptSpec,
  played: Played,
  from: number,
  to: number,
  now: Date,
) {
  const events = eventsOf(spec, played).map((event, index) => ({
    seq: index + 1,
    at: now.toISOString(),
    event,
  }));
  return recordEvents(
    runner,
    [{ attemptId: spec.attemptId, fence: spec.fence, events: events.slice(from, to) }],
    now,
  );
}

async function presentSince(seconds: number, now: Date) {
  for (let past = seconds; past >= 0; past -= 10)
    await recordPresence(new Date(now.getTime() - past * 1_000));
}

async function tierTwoRuns(cast: Cast) {
  const { chainId } = await startChain(
    cast.alice,
    { projectId: cast.projectId, trigger: 'manual' },
    at(0),
  );
  await play(cast.runner, await claimNext(cast.runner, at(1)), { report: wantsHelp() }, at(2));
  await recordHeartbeat(cast.runner, { protocol: 1, posture: TEST_POSTURE, running: [] }, at(3));
  const second = await claimNext(cast.runner, at(3));
  return { chainId, second };
}

describe('a runner that dies', () => {
  it('[SAS-3.3] is noticed for one organization though the row of another cannot be read', async () => {
    const casts = [await makeCast({}, at(0)), await makeCast({}, at(0))] as const;
    const [broken, sound] = [await tierTwoRuns(casts[0]), await tierTwoRuns(casts[1])];
    await inTransaction(casts[0].alice, (db) =>
      db.attempt.updateMany({
        where: { id: broken.second.attemptId },
        data: { start: { harness: 'gone' } },
      }),
    );
    await presentSince(120, at(200));
    expect(await expireLeases(at(200))).toBe(1);
    const { attempts } = await readChain(casts[1].alice, sound.chainId);
    const lost = attempts.find((attempt) => attempt.id === sound.second.attemptId);
    expect(lost).toMatchObject({ status: 'ended', end: 'lost' });
  });

  it('[SAS-3.3] is noticed by its lease, and tier 2 work is looked at but never repeated', async () => {
    const cast = await makeCast({}, at(0));
    const { chainId, second } = await tierTwoRuns(cast);
    await send(cast.runner, second, restart, 0, 5, at(4));

    await presentSince(120, at(200));
    expect(await expireLeases(at(200))).toBe(1);
    let rows = await readChain(cast.alice, chainId);
    const lost = rows.attempts.find((attempt) => attempt.id === second.attemptId);
    expect(lost).toMatchObject({ status: 'ended', end: 'lost' });
    expect(rows.attempts.filter((attempt) => attempt.purpose === 'reconcile')).toHaveLength(1);

    // The runner comes back with what it had, under its old number.
    const played: Played = { ...restart, report: wantsHelp(), costUsd: 0.47 };
    await send(cast.runner, second, played, 5, 99, at(210));
    const last = eventsOf(second, played).length;
    const answer = await recordResult(
      cast.runner,
      second.attemptId,
      resultOf(second, last, played, at(210)),
      at(210),
    );
    expect(answer.decides).toBe(false);
    await settleAttempt(scopeOfSystem(cast.alice.organizationId), second.attemptId, at(211));

    rows = await readChain(cast.alice, chainId);
    const late = rows.attempts.find((attempt) => attempt.id === second.attemptId);
    expect(late).toMatchObject({ end: 'lost', isResultLate: true });
    expect(rows.attempts.filter((attempt) => attempt.purpose === 'tier')).toHaveLength(2);
    expect(rows.sessions.map((session) => session.tier)).toEqual([1, 2]);
    const booked = rows.ledger.filter((entry) => entry.attemptId === second.attemptId);
    expect(booked.map((entry) => [Number(entry.costMicros), entry.isEstimate])).toEqual([
      [470_000, false],
    ]);
    const total = rows.ledger.reduce((sum, entry) => sum + entry.costMicros, 0n);
    const rollup = rows.usage.reduce((sum, row) => sum + row.costMicros, 0n);
    expect(rollup).toBe(total);
    expect(rows.pointers.find((pointer) => pointer.attemptId === second.attemptId)).toMatchObject({
      isLate: true,
    });
  });

  it('[SAS-3.3] is not called lost while the runner API itself was away', async () => {
    const cast = await makeCast({}, at(0));
    const { second } = await tierTwoRuns(cast);
    await recordPresence(at(10_000));
    expect(await expireLeases(at(10_030))).toBe(0);
    await recordHeartbeat(
      cast.runner,
      {
        protocol: 1,
        posture: TEST_POSTURE,
        running: [{ attemptId: second.attemptId, fence: second.fence }],
      },
      at(10_031),
    );
    await presentSince(60, at(10_080));
    expect(await expireLeases(at(10_080))).toBe(0);
  });

  it('[SAS-3.3] a lost tier 1 is started once more', async () => {
    const cast = await makeCast({}, at(20000));
    const { chainId } = await startChain(
      cast.alice,
      { projectId: cast.projectId, trigger: 'manual' },
      at(20000),
    );
    await claimNext(cast.runner, at(20001));
    await presentSince(120, at(20200));
    await expireLeases(at(20200));
    const again = await claimNext(cast.runner, at(20201));
    expect(again.start).toMatchObject({ tier: 1, continuation: { mode: 'fresh' } });
    await presentSince(120, at(20400));
    await expireLeases(at(20400));
    const rows = await readChain(cast.alice, chainId);
    expect(rows.chain).toMatchObject({ status: 'ended', outcome: 'lost' });
  });

  it('[SAS-3.4] events are stored once each, in order, whatever is sent again', async () => {
    const cast = await makeCast({}, at(0));
    const { second } = await tierTwoRuns(cast);
    await send(cast.runner, second, restart, 0, 3, at(5));
    await send(cast.runner, second, restart, 0, 4, at(6));
    const gap = await send(cast.runner, second, restart, 5, 6, at(7));
    expect(gap.acknowledged).toEqual([{ attemptId: second.attemptId, seq: 4 }]);
    const whole = await send(cast.runner, second, restart, 2, 6, at(8));
    expect(whole.acknowledged).toEqual([{ attemptId: second.attemptId, seq: 6 }]);
  });
});
