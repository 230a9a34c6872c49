import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import { claimAttempt } from '@/lib/engine/claim';
import { recordHeartbeat } from '@/lib/engine/directives';
import { recordEvents } from '@/lib/engine/record-events';
import { settleAttempt } from '@/lib/engine/settle';
import { expireLeases } from '@/lib/engine/sweep/sweep';
import { recordResult } from '@/lib/engine/take-result';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import {
  claimNext,
  eventsOf,
  nextAttemptId,
  type Played,
  play,
  resultOf,
  wantsHelp,
} from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { recordPresence } from '@/tests/support/presence';
import { refusalOf } from '../engine/support/running';

useTestDatabase();

const START = new Date('2026-11-21T12:00:00Z');
const DAY_MS = 86_400_000;
/** Each test has a day of its own, because the presence of the runner API only moves forward. */
let day = 0;
const at = (seconds: number) => new Date(START.getTime() + day * DAY_MS + seconds * 1_000);

beforeEach(() => {
  day += 1;
});

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
  await recordHeartbeat(
    cast.runner,
    { protocol: 1, capabilities: TEST_CAPABILITIES, running: [] },
    at(3),
  );
  const second = await claimNext(cast.runner, at(3));
  return { chainId, second };
}

const read: Played = {
  events: [
    {
      kind: 'tool_call',
      messageId: 'm',
      toolUseId: 'read-1',
      tool: 'Read',
      input: { file_path: '/etc/hosts' },
      parentToolUseId: null,
    },
  ],
};

async function tierThreeRuns(cast: Cast) {
  const { chainId, second } = await tierTwoRuns(cast);
  await play(cast.runner, second, { report: wantsHelp() }, at(5));
  await recordHeartbeat(
    cast.runner,
    { protocol: 1, capabilities: TEST_CAPABILITIES, running: [] },
    at(6),
  );
  return { chainId, second: await claimNext(cast.runner, at(6)) };
}

/** Of the session whose attempt was lost: purpose, end, in order. */
async function attemptsOf(cast: Cast, chainId: string, { sessionId }: AttemptSpec) {
  const { attempts } = await readChain(cast.alice, chainId);
  return attempts
    .filter((attempt) => attempt.sessionId === sessionId)
    .map((attempt) => [attempt.purpose, attempt.end]);
}

async function readEnd(cast: Cast, chainId: string, { sessionId }: AttemptSpec) {
  const { chain, sessions } = await readChain(cast.alice, chainId);
  return { chain, session: sessions.find(({ id }) => id === sessionId) };
}

describe('work of tiers 2 and 3 whose last events never arrived', () => {
  const tiers = [
    ['tier 2', tierTwoRuns],
    ['tier 3', tierThreeRuns],
  ] as const;
  const delivered: [string, Played, number][] = [
    ['no event', {}, 0],
    ['the start alone', {}, 2],
    ['a call that only reads', read, 9],
  ];

  it.each(
    tiers.flatMap(([tier, begin]) =>
      delivered.map(([title, played, count]) => ({ tier, begin, title, played, count })),
    ),
  )(
    '[SAS-3.3] [FLT-3.2] is looked at and not started again: $tier, $title delivered',
    async ({ begin, played, count }) => {
      const cast = await makeCast({}, at(0));
      const { chainId, second } = await begin(cast);
      if (count > 0) {
        await send(cast.runner, second, { ...played, isSilent: true }, 0, count, at(7));
      }
      await presentSince(120, at(200));
      expect(await expireLeases(at(200))).toBe(1);
      expect(await attemptsOf(cast, chainId, second)).toEqual([
        ['tier', 'lost'],
        ['reconcile', null],
      ]);
      const look = await claimNext(cast.runner, at(201));
      expect(look.start).toMatchObject({ purpose: 'reconcile', continuation: { mode: 'handoff' } });
      expect(look.start.allowedRules).not.toContain('Bash(docker restart:*)');

      // The look is lost as well: it isn't repeated either.
      await presentSince(120, at(400));
      expect(await expireLeases(at(400))).toBe(1);
      expect(await attemptsOf(cast, chainId, second)).toEqual([
        ['tier', 'lost'],
        ['reconcile', 'lost'],
      ]);
      const { chain, session } = await readEnd(cast, chainId, second);
      expect(chain).toMatchObject({ status: 'ended', outcome: 'needs_human' });
      // Nothing was checked, and no text says so.
      const open = "The current state of web isn't known. Check it yourself.";
      expect(chain.statusText).toMatch(
        /^Tier \d didn't finish\. The observe-only attempt that followed didn't report\. /,
      );
      for (const text of [chain.statusText, session?.statusText ?? '']) {
        expect(text).toContain(open);
        expect(text).not.toMatch(/checks? found|was checked|is in the report/);
      }
    },
  );

  it.each<[string, Played['result']]>([
    ['was killed and came back', { exit: null }],
    ['was shut down', { exit: { code: null, signal: 'SIGINT' }, stopCause: 'runner_shutdown' }],
    [
      'came back without the events it had delivered',
      { startError: { code: 'runner_restarted', message: 'Killed.' }, exit: null },
    ],
  ])('[SAS-3.3] [FLT-3.2] is looked at when its runner %s', async (_title, result) => {
    const cast = await makeCast({}, at(0));
    const { chainId, second } = await tierTwoRuns(cast);
    await play(cast.runner, second, { isSilent: true, result }, at(5));
    expect(await attemptsOf(cast, chainId, second)).toEqual([
      ['tier', 'lost'],
      ['reconcile', null],
    ]);
  });

  it('[SAS-3.3] is started again once when its runner proves that nothing was started', async () => {
    const cast = await makeCast({}, at(0));
    const { chainId, second } = await tierTwoRuns(cast);
    const startError = { code: 'runner_restarted' as const, message: 'Killed before the start.' };
    const result = resultOf(second, 0, { result: { startError, exit: null } }, at(5));
    await recordResult(cast.runner, second.attemptId, result, at(5));
    await settleAttempt(scopeOfSystem(cast.alice.organizationId), second.attemptId, at(5));
    expect(await attemptsOf(cast, chainId, second)).toEqual([
      ['tier', 'lost'],
      ['tier', null],
    ]);

    // The second attempt is lost without proof: from here on nothing is repeated.
    await claimNext(cast.runner, at(6));
    await presentSince(120, at(200));
    await expireLeases(at(200));
    expect(await attemptsOf(cast, chainId, second)).toEqual([
      ['tier', 'lost'],
      ['tier', 'lost'],
      ['reconcile', null],
    ]);
  });

  it('[FLT-3.2] counts as a possible change for every later decision of the session', async () => {
    const cast = await makeCast({}, at(0));
    const { chainId, second } = await tierTwoRuns(cast);
    await presentSince(120, at(200));
    await expireLeases(at(200));
    const look = await claimNext(cast.runner, at(201));
    await play(cast.runner, look, { isSilent: true, result: { stopCause: 'operator' } }, at(202));
    const { sessions, events } = await readChain(cast.alice, chainId);
    const session = sessions.find(({ id }) => id === second.sessionId);
    expect(session?.statusText).toContain('It may have changed something.');
    expect(events.at(-1)).toMatchObject({ code: 'STOPPED', level: 'critical' });
  });

  it('[FLT-3.2] is handed out again to the process that claimed it, and to no other', async () => {
    const cast = await makeCast({}, at(0));
    await startChain(cast.alice, { projectId: cast.projectId, trigger: 'manual' }, at(0));
    await play(cast.runner, await claimNext(cast.runner, at(1)), { report: wantsHelp() }, at(2));
    await recordHeartbeat(
      cast.runner,
      { protocol: 1, capabilities: TEST_CAPABILITIES, running: [] },
      at(3),
    );
    const id = await nextAttemptId(cast.runner);
    const [process, restarted] = [randomUUID(), randomUUID()];
    const first = await claimAttempt(cast.runner, id, at(3), process);
    expect(await claimAttempt(cast.runner, id, at(4), process)).toEqual(first);
    const others = [restarted, null];
    for (const other of others) {
      const again = claimAttempt(cast.runner, id, at(5), other);
      expect(await refusalOf(again)).toBe('not_queued');
    }
    await presentSince(120, at(200));
    expect(await expireLeases(at(200))).toBe(1);
  });
});

const checked = (service: string, status: 'healthy' | 'down'): RunnerEvent => ({
  kind: 'check_result',
  service,
  type: 'http',
  target: `http://${service}/health`,
  status,
  error: status === 'healthy' ? '' : 'connection refused',
  responseTimeMs: null,
});

describe('a chain after an observe-only check', () => {
  /** Tier 2 is lost, and `played` is what the check that follows does. */
  async function looked(played: Played) {
    const cast = await makeCast({}, at(0));
    const { chainId, second } = await tierTwoRuns(cast);
    await presentSince(120, at(200));
    await expireLeases(at(200));
    await play(cast.runner, await claimNext(cast.runner, at(201)), played, at(202));
    const rows = await readChain(cast.alice, chainId);
    const session = rows.sessions.find(({ id }) => id === second.sessionId);
    expect(rows.sessions.map(({ tier }) => tier)).toEqual([1, 2]);
    expect(rows.attempts.filter(({ status }) => status !== 'ended')).toEqual([]);
    for (const text of [rows.chain.statusText, session?.statusText ?? '']) {
      expect(text).not.toContain('The agent finished and reported');
    }
    return { ...rows, session };
  }

  it('[ENG-5.2] is healthy when every service was seen healthy; its session stays lost', async () => {
    const { chain, session, decisions } = await looked({
      report: { summary: 'web answers again.', resolved: true },
      events: [checked('web', 'healthy')],
    });
    expect(chain).toMatchObject({
      status: 'ended',
      outcome: 'healthy',
      outcomeReason: 'RECONCILED_HEALTHY',
      summary: 'web answers again.',
      servicesAffected: [],
      statusText:
        "Tier 2 didn't finish. An observe-only check found web healthy. What fixed this isn't known.",
    });
    expect(session).toMatchObject({ status: 'lost' });
    expect(session?.statusText).toMatch(
      /^Runner runner-1 lost the agent's process\..* An observe-only/,
    );
    expect(decisions.at(-1)).toMatchObject({ kind: 'after_end', reason: 'RECONCILED_HEALTHY' });
  });

  it('[ENG-5.2] needs a human when it is still broken, also when tier 3 was requested', async () => {
    const { chain, session, events } = await looked({
      report: { ...wantsHelp(['web']), summary: 'web is still down; the restart did not help.' },
      events: [checked('web', 'down'), checked('db', 'down')],
    });
    expect(chain).toMatchObject({
      outcome: 'needs_human',
      outcomeReason: 'RECONCILED_UNRESOLVED',
      summary: 'web is still down; the restart did not help.',
      servicesAffected: ['web', 'db'],
      highestTier: 2,
    });
    expect(chain.statusText).toContain('requested tier 3');
    expect(session).toMatchObject({ status: 'lost' });
    const notice = events.find(({ code }) => code === 'RECONCILED_UNRESOLVED');
    expect(notice).toMatchObject({ level: 'critical', message: chain.statusText });
  });

  it.each<[string, Played]>([
    ['its report is not valid', { report: null }],
    ['it crashed', { isSilent: true, result: { exit: { code: 1, signal: null } } }],
    ['it was stopped for unexpected tools', { result: { stopCause: 'surplus_tools' } }],
  ])('[ENG-5.2] needs a human when the check gave no report: %s', async (_title, played) => {
    const { chain, session } = await looked({ events: [checked('db', 'down')], ...played });
    expect(chain).toMatchObject({
      outcome: 'needs_human',
      outcomeReason: 'RECONCILE_FAILED',
      summary: '',
      servicesAffected: ['web', 'db'],
    });
    expect(chain.statusText).toContain(
      "Its checks found db unhealthy. The current state of web isn't known.",
    );
    expect(session).toMatchObject({ status: 'lost' });
  });
});

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
    expect(lost).toMatchObject({ status: 'ended', end: 'lost', fence: second.fence + 1 });
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

  it('[SAS-3.3] is not called lost after the runner API was silent a whole lease', async () => {
    const cast = await makeCast({}, at(0));
    const { chainId, second } = await tierTwoRuns(cast);
    await presentSince(600, at(10_000));
    expect(await expireLeases(at(10_061))).toBe(0);
    const { attempts } = await readChain(cast.alice, chainId);
    expect(attempts.find(({ id }) => id === second.attemptId)?.end).toBeNull();
    expect(await expireLeases(at(10_060))).toBe(1);
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
        capabilities: TEST_CAPABILITIES,
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
