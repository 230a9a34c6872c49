/** What runners send beyond what is legitimate, and a busy one that loses nothing. */

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { events } from '@/app/api/runner/v1/attempt-routes';
import { heartbeat } from '@/app/api/runner/v1/host-routes';
import { recordEvents } from '@/lib/engine/record-events';
import { scopeOfRunner } from '@/lib/identity/tenancy/make-scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, enrolTestRunner, makeCast } from '@/tests/support/cast/organization';
import { claimNext, play } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { startOne } from './support/running';

useTestDatabase();
let cast: Cast;
let spec: AttemptSpec;

beforeEach(async () => {
  cast = await makeCast();
  await startOne(cast);
  spec = await claimNext(cast.runner);
});

const stderr = (text: string): RunnerEvent => ({ kind: 'stderr', text });
const batch = (list: RunnerEvent[], from = 1, at = new Date().toISOString()) => ({
  attemptId: spec.attemptId,
  fence: spec.fence,
  events: list.map((event, index) => ({ seq: from + index, at, event })),
});

async function stored() {
  return inTransaction(cast.alice, async (db) => ({
    attempt: await db.attempt.findFirstOrThrow({ where: { id: spec.attemptId } }),
    events: await db.sessionEvent.findMany({
      where: { sessionId: spec.sessionId },
      orderBy: { seq: 'asc' },
    }),
  }));
}

async function notices(code: string): Promise<string[]> {
  const { events } = await stored();
  return events.flatMap(({ payload }) => {
    const { code: own, message } = payload as { code?: string; message?: string };
    return own === code && message ? [message] : [];
  });
}

async function send(handler: typeof events, body: object): Promise<Response> {
  const request = new Request('http://127.0.0.1/api/runner/v1/x', {
    method: 'POST',
    headers: { authorization: `Bearer ${cast.runnerKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return handler(request, { params: Promise.resolve({}) });
}

describe('[SEC-2.2] a runner’s clock', () => {
  it.each([
    ['1970', '1970-01-01T00:00:00.000Z', 'behind'],
    ['2099', '2099-01-01T00:00:00.000Z', 'ahead'],
  ])(
    'of %s puts no event outside of the attempt, and the stream says so once',
    async (_year, at, direction) => {
      const began = new Date();
      await recordEvents(cast.runner, [batch([stderr('one')], 1, at)]);
      await recordEvents(cast.runner, [batch([stderr('two')], 2, at)]);
      const { attempt, events: kept } = await stored();
      const own = kept.filter(({ kind }) => kind === 'stderr');
      expect(own).toHaveLength(2);
      for (const event of own) {
        expect(event.at.getTime()).toBeGreaterThanOrEqual(attempt.claimedAt?.getTime() ?? 0);
        expect(event.at.getTime()).toBeLessThanOrEqual(Date.now());
        expect(Math.abs(event.clockOffSeconds ?? 0)).toBeGreaterThan(1e9);
      }
      expect(began.getTime()).toBeLessThanOrEqual(Date.now());
      const said = await notices('RUNNER_CLOCK');
      expect(said).toHaveLength(1);
      expect(said[0]).toContain(direction);
    },
  );

  it('that jumps by an hour loses nothing, and the attempt ends as usual', async () => {
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    await recordEvents(cast.runner, [batch([stderr('before')])]);
    await recordEvents(cast.runner, [batch([stderr('after')], 2, ahead)]);
    const { events: kept } = await stored();
    const own = kept.filter(({ kind }) => kind === 'stderr');
    expect(own.map(({ clockOffSeconds }) => clockOffSeconds !== null)).toEqual([false, true]);
    expect(await notices('RUNNER_CLOCK')).toEqual([
      expect.stringMatching(/^The clock of the runner was (59|60) min ahead/),
    ]);
  });
});

describe('[SEC-2.2] events after the end of an attempt', () => {
  beforeEach(async () => {
    await play(cast.runner, spec, { report: { resolved: true } });
  });

  const lateBatch = async (list: RunnerEvent[]) =>
    batch(list, (await stored()).attempt.ackedSeq + 1);

  it('are accepted within three days, and counted', async () => {
    const late = await lateBatch([stderr('late')]);
    const answer = await recordEvents(cast.runner, [late]);
    expect(answer.acknowledged).toHaveLength(1);
    expect((await stored()).attempt).toMatchObject({ lateEvents: 1, lateRefusedAt: null });
  });

  it('are refused after that, once and for all, and the stream says so', async () => {
    const late = await lateBatch([stderr('much later')]);
    const muchLater = new Date(Date.now() + 73 * 3_600_000);
    for (const _ of [1, 2]) {
      const answer = await recordEvents(cast.runner, [late], muchLater);
      // Not acknowledged: a runner sets them aside and doesn't send them again.
      expect(answer.acknowledged).toEqual([]);
      expect(answer.directives).toEqual([
        { kind: 'stop', attemptId: spec.attemptId, reason: 'fenced' },
      ]);
    }
    const { events: kept, attempt } = await stored();
    expect(kept.filter(({ kind }) => kind === 'stderr')).toEqual([]);
    expect(attempt.lateRefusedAt).toEqual(muchLater);
    expect(await notices('LATE_EVENTS_REFUSED')).toHaveLength(1);
  });

  it('are refused beyond their bytes', async () => {
    await inTransaction(cast.alice, (db) =>
      db.attempt.updateMany({ where: { id: spec.attemptId }, data: { lateBytes: 63_999_999 } }),
    );
    const answer = await recordEvents(cast.runner, [await lateBatch([stderr('a flood')])]);
    expect(answer.acknowledged).toEqual([]);
    expect((await notices('LATE_EVENTS_REFUSED'))[0]).toContain('64000000 bytes');
  });
});

describe('[SEC-2.2] a runner', () => {
  it('that sends a huge event gets a notice stored in its place', async () => {
    const answer = await recordEvents(cast.runner, [batch([stderr('x'.repeat(3_500_000))])]);
    expect(answer.acknowledged).toEqual([{ attemptId: spec.attemptId, seq: 1 }]);
    const { events: kept } = await stored();
    expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThan(100_000);
    expect(await notices('EVENT_LEFT_OUT')).toHaveLength(1);
  });

  it('that sends for the attempt of another one stores nothing', async () => {
    const other = await scopeOfRunner(await enrolTestRunner(cast.alice, `other-${randomUUID()}`));
    const before = (await stored()).events.length;
    const answer = await recordEvents(other, [batch([stderr('forged')])]);
    expect(answer.acknowledged).toEqual([]);
    expect((await stored()).events).toHaveLength(before);
  });

  it('that floods is told to wait, keeps its heartbeat, and may send the same again', async () => {
    const quota = { runnerRequestsPerMinute: 20, runnerBytesPerMinute: 1_000_000 };
    Object.assign(env(), quota);
    delete (globalThis as { tierwatchRunnerQuota?: unknown }).tierwatchRunnerQuota;
    const body = { protocol: 1, batches: [batch([stderr('x')])] };
    const answers = [];
    for (let count = 0; count < 25; count += 1) answers.push(await send(events, body));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    const refused = answers.at(-1);
    expect(refused?.status).toBe(429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    const beat = { protocol: 1, posture: TEST_CAPABILITIES, running: [] };
    expect((await send(heartbeat, beat)).status).toBe(200);
  });

  it('that sends 20,000 events within a minute loses none', async () => {
    Object.assign(env(), { runnerRequestsPerMinute: 1_200, runnerBytesPerMinute: 240_000_000 });
    delete (globalThis as { tierwatchRunnerQuota?: unknown }).tierwatchRunnerQuota;
    for (let from = 1; from <= 20_000; from += 1_000) {
      const list = Array.from({ length: 1_000 }, (_, index) => stderr(`line ${from + index}`));
      const response = await send(events, { protocol: 1, batches: [batch(list, from)] });
      expect(response.status).toBe(200);
    }
    const { attempt } = await stored();
    expect(attempt.ackedSeq).toBe(20_000);
  });
});
