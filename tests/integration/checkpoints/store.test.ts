/** What a runner sends as a checkpoint, and what is kept of it. */

import { beforeEach, describe, expect, it } from 'vitest';
import { recordEvents } from '@/lib/engine/record-events';
import { takeResult } from '@/lib/engine/take-result';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { DEFAULT_CHECKPOINTS } from '@/lib/projects/checkpoint-settings';
import type { CheckpointEvent, RunnerEvent } from '@/lib/protocol/events';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext, eventsOf, resultOf } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { saveConfig, send, startOne } from '../engine/support/running';
import { checkpoint, storedCheckpoints } from './support/checkpoint';

useTestDatabase();
let cast: Cast;
let spec: AttemptSpec;

beforeEach(async () => {
  cast = await makeCast();
  await startOne(cast);
  spec = await claimNext(cast.runner);
  await send(cast.runner, spec, eventsOf(spec, { isSilent: true }));
});

const stored = () => storedCheckpoints(cast.alice, spec.sessionId);
const digests = async () => (await stored()).map(({ digest }) => digest);
const keep = (...events: RunnerEvent[]) => send(cast.runner, spec, events);
const say = (digest: string, changes: Partial<CheckpointEvent> = {}) =>
  checkpoint(digest, '/srv/checkout', changes);

describe('a checkpoint', () => {
  it('[CKP-1.1] is kept with everything it says, in a table of its own', async () => {
    await keep(
      say('web refused connections.', {
        trigger: 'pre_compaction',
        queries: ['refused'],
        remembered: ['The primary is db-2.'],
        projectPath: '/srv/link',
        hookSessionId: '0a3c8f3e-6d35-4c43-9d3c-3b9a56c3f1aa',
      }),
    );
    expect(await stored()).toMatchObject([
      {
        projectId: cast.projectId,
        attemptId: spec.attemptId,
        attemptSeq: 5,
        harness: 'claude',
        projectPath: '/srv/link',
        projectPathNormalized: '/srv/checkout',
        trigger: 'pre_compaction',
        digest: 'web refused connections.',
        counts: { prompts: 1, toolCalls: 10, toolResults: 9, elapsedMs: 60_000 },
        recentQueries: ['refused'],
        remembered: ['The primary is db-2.'],
        hookSessionId: '0a3c8f3e-6d35-4c43-9d3c-3b9a56c3f1aa',
        isLate: false,
      },
    ]);
  });

  it('[CKP-1.1] is stored once, however often it is sent, and in the order of arrival', async () => {
    const from = eventsOf(spec, { isSilent: true }).length + 1;
    const events = ['one', 'two', 'three'].map((digest, index) => ({
      seq: from + index,
      at: new Date(Date.now() - index * 3_600_000).toISOString(),
      event: say(digest),
    }));
    const batch = { attemptId: spec.attemptId, fence: spec.fence, events };
    for (const part of [events.slice(0, 2), events, events.slice(1)])
      await recordEvents(cast.runner, [{ ...batch, events: part }]);
    expect(await digests()).toEqual(['one', 'two', 'three']);
  });

  it.each(['periodic', 'pre_compaction', 'agent', 'explicit', 'session_end'] as const)(
    '[CKP-1.2] may be written for the reason %s',
    async (trigger) => {
      await keep(say('It is the database.', { trigger }));
      expect(await stored()).toMatchObject([{ trigger }]);
    },
  );

  it('[CKP-1.4] stands under the raw path where the host could not resolve it', async () => {
    await keep(say('a', { projectPath: '/gone', projectPathNormalized: '/gone' }));
    expect(await stored()).toMatchObject([
      { projectPath: '/gone', projectPathNormalized: '/gone' },
    ]);
  });

  it('[CKP-2.2] that comes with the result is kept as well', async () => {
    const last = say('All services answer.', { trigger: 'session_end' });
    const events = [{ seq: 5, at: new Date().toISOString(), event: last }];
    const result = { ...resultOf(spec, 5, {}, new Date()), claimsNext: false };
    for (const _ of [1, 2]) await takeResult(cast.runner, spec.attemptId, { ...result, events });
    expect(await digests()).toEqual(['All services answer.']);
  });

  it('leaves only its mark in the stream of the session', async () => {
    await keep(say('the digest', { queries: ['the query'], remembered: ['the item'] }));
    const events = await inTransaction(cast.alice, (db) =>
      db.sessionEvent.findMany({ where: { sessionId: spec.sessionId, kind: 'checkpoint' } }),
    );
    expect(events).toHaveLength(1);
    expect(JSON.stringify(events[0]?.payload)).not.toMatch(/the (digest|query|item)/);
    expect(events[0]?.payload).toMatchObject({ trigger: 'periodic' });
  });
});

describe('the most of one session', () => {
  it('[CKP-2.3] lets the oldest go, and those of other sessions stay', async () => {
    await saveConfig(cast, {
      checkpoints: { ...DEFAULT_CHECKPOINTS, maxCheckpointsPerSession: 3 },
    });
    const other = await makeCast();
    await startOne(other);
    const theirs = await claimNext(other.runner);
    await send(other.runner, theirs, [say('theirs')]);
    await keep(say('1'), say('2'));
    await keep(say('3'), say('4'), say('5'));
    expect(await digests()).toEqual(['3', '4', '5']);
    await keep(say('6'));
    expect(await digests()).toEqual(['4', '5', '6']);
    expect(await storedCheckpoints(other.alice, theirs.sessionId)).toHaveLength(1);
  });
});

describe('one that comes late', () => {
  it('is kept and marked', async () => {
    await inTransaction(cast.alice, (db) =>
      db.attempt.updateMany({ where: { id: spec.attemptId }, data: { fence: spec.fence + 1 } }),
    );
    await keep(say('too late'));
    expect(await stored()).toMatchObject([{ digest: 'too late', isLate: true }]);
  });

  it('[CKP-2.3] pushes none out that came in time', async () => {
    await saveConfig(cast, {
      checkpoints: { ...DEFAULT_CHECKPOINTS, maxCheckpointsPerSession: 2 },
    });
    await keep(say('in time'));
    await inTransaction(cast.alice, (db) =>
      db.attempt.updateMany({ where: { id: spec.attemptId }, data: { fence: spec.fence + 1 } }),
    );
    await keep(say('late 1'), say('late 2'), say('late 3'));
    expect(await digests()).toEqual(['in time', 'late 3']);
  });
});

describe('secrets', () => {
  const CANARIES = [
    'AKIAIOSFODNN7CANARY1',
    `ghp_${'c4n4rY'.repeat(6)}`,
    `sk-ant-api03-${'Canary0'.repeat(12)}AA`,
  ];

  it('[CKP-5.1] are in nothing that is stored, and what only looks like one is', async () => {
    const [aws, github, anthropic] = CANARIES;
    const sha = '9fceb02d0ae598e95dc970b74767f19372d61af8';
    await keep(
      say(`Used ${aws} on commit ${sha}.`, {
        queries: [`token ${github}`],
        remembered: [`password=${anthropic}`],
        hookSessionId: '0a3c8f3e-6d35-4c43-9d3c-3b9a56c3f1aa',
      }),
    );
    const [row] = await stored();
    const rows = await inTransaction(cast.alice, async (db) => [
      await db.checkpoint.findMany({ where: { sessionId: spec.sessionId } }),
      await db.sessionEvent.findMany({ where: { sessionId: spec.sessionId, kind: 'checkpoint' } }),
    ]);
    const text = JSON.stringify(rows, (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    for (const canary of CANARIES) expect(text).not.toContain(canary);
    expect(row?.digest).toMatch(/^Used \[redacted: [^\]]+\] on commit 9fceb02d/);
    expect(row).toMatchObject({
      projectPathNormalized: '/srv/checkout',
      hookSessionId: '0a3c8f3e-6d35-4c43-9d3c-3b9a56c3f1aa',
    });
  });
});

describe('a project without checkpoints', () => {
  it('[CKP-7.1] keeps none, also of a session that began with them', async () => {
    await keep(say('before'));
    await saveConfig(cast, { checkpoints: { ...DEFAULT_CHECKPOINTS, enabled: false } });
    await keep(say('after'));
    expect(await digests()).toEqual(['before']);
  });

  it('[CKP-7.1] tells its runners to write none', async () => {
    const other = await makeCast({ checkpoints: { ...DEFAULT_CHECKPOINTS, enabled: false } });
    await startOne(other);
    expect(spec.start.checkpoints).toEqual({
      project: 'Checkout',
      promptInterval: 10,
      timeIntervalMs: 900_000,
      recoveryBudgetChars: 2_000,
    });
    expect((await claimNext(other.runner)).start.checkpoints).toBeNull();
  });
});
