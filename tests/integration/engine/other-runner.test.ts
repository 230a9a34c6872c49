/** What a runner may do with the attempt of another runner of its organization: nothing. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recallCheckpoints } from '@/lib/engine/checkpoints/keep-checkpoints';
import { authorizeCommand } from '@/lib/engine/commands/authorize';
import { recordEvents } from '@/lib/engine/record-events';
import { findSuperseded } from '@/lib/engine/superseded';
import { recordResult } from '@/lib/engine/take-result';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { liveHub } from '@/lib/platform/live/hub';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext, eventsOf, resultOf } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { secondRunner } from '../conversations/support/second-runner';
import { refusalOf, startOne } from './support/running';

useTestDatabase();
afterAll(() => liveHub().close());

let cast: Cast;
let other: TenantScope;
let spec: AttemptSpec;
beforeAll(async () => {
  cast = await makeCast();
  other = await secondRunner(cast);
  await startOne(cast);
  spec = await claimNext(cast.runner);
});

const stored = () =>
  inTransaction(cast.alice, (db) =>
    db.attempt.findFirstOrThrow({
      where: { id: spec.attemptId },
      select: { ackedSeq: true, result: true },
    }),
  );

it('[SAS-3.2] isn’t reported, ended, recalled or given commands by another runner of the organization', async () => {
  const { attemptId, fence } = spec;
  const now = new Date();
  const events = eventsOf(spec, { report: {} }).map((event, index) => ({
    ...{ seq: index + 1, at: now.toISOString(), event },
  }));
  expect(await recordEvents(other, [{ attemptId, fence, events }], now)).toEqual({
    acknowledged: [],
    directives: [{ kind: 'stop', attemptId, reason: 'fenced' }],
  });
  const result = resultOf(spec, 0, { report: {} }, now);
  expect(await refusalOf(recordResult(other, attemptId, result, now))).toBe('not_found');
  expect(await refusalOf(recallCheckpoints(other, attemptId, 5))).toBe('not_found');
  const command = { fence, number: 1, argv: ['docker', 'restart', 'web'], approval: null };
  expect(await authorizeCommand(other, attemptId, command, now)).toBeNull();
  expect(await stored()).toEqual({ ackedSeq: 0, result: null });
});

it('keeps its conversation, whatever another runner asks about it', async () => {
  const now = new Date();
  const { attemptId } = spec;
  // Ended without a pointer, so its own runner may delete it.
  await inTransaction(cast.alice, (db) =>
    db.attempt.updateMany({
      where: { id: attemptId },
      data: { status: 'ended', end: 'completed', endedAt: now, settledAt: now },
    }),
  );
  const cliSessionIds = [spec.start.cliSessionId];
  expect(await findSuperseded(cast.runner, { cliSessionIds })).toEqual({
    superseded: cliSessionIds,
  });
  expect(await findSuperseded(other, { cliSessionIds })).toEqual({ superseded: [] });
});
