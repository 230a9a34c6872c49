/** Pools in which some hosts can confine agents and others can't, and a confined project. */
import { afterAll, describe, expect, it } from 'vitest';
import { chainSentence } from '@/app/(dashboard)/[orgSlug]/projects/[projectSlug]/chains/[number]/_components/chain-header';
import { askTurn } from '@/lib/conversations/turns';
import { claimAttempt } from '@/lib/engine/claim';
import { recordHeartbeat } from '@/lib/engine/directives';
import { recordEvents } from '@/lib/engine/record-events';
import { ISOLATION_WAIT_MINUTES } from '@/lib/engine/start-policy/host-gates';
import { endHostWaits } from '@/lib/engine/sweep/end-host-waits';
import { enqueueWaiting } from '@/lib/engine/sweep/sweep';
import { takeResult } from '@/lib/engine/take-result';
import { poolQueue, runnerQueue } from '@/lib/fleet/queues';
import { waitForAttempt } from '@/lib/fleet/wait-for-attempt';
import { scopeOfRunner } from '@/lib/identity/tenancy/make-scope';
import { getChain } from '@/lib/insight/chains/get-chain';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { liveHub } from '@/lib/platform/live/hub';
import { takeAttemptJob } from '@/lib/platform/queue/enqueue';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { Canary } from '@/lib/protocol/canary';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, enrolTestRunner, makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import {
  claimNext,
  eventsOf,
  nextAttemptId,
  play,
  resultOf,
  wantsHelp,
} from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { answerNext, talk } from '../conversations/support/asking';
import { approvalsOf, decide, onlyApproval } from './support/approving';
import { listEnqueued } from './support/enqueued';
import { refusalOf, saveConfig, startOne } from './support/running';

const database = useTestDatabase();
afterAll(() => liveHub().close());

const [ONE, TWO, THREE] = DEFAULT_TIERS;
const TIERS: ProjectConfig['tiers'] = [ONE, { ...TWO, isEnabled: true }, THREE];
const START = new Date();
const inSeconds = (seconds: number) => new Date(START.getTime() + seconds * 1_000);

interface Host {
  isConfined: boolean;
  canary?: Canary['state'];
}

function beat(runner: TenantScope, { isConfined, canary = 'passed' }: Host, at = START) {
  const canaries: Canary[] = [
    { mode: 'open', state: 'passed', detail: null },
    { mode: 'confined', state: canary, detail: canary === 'failed' ? 'It ran a command.' : null },
  ];
  const capabilities = {
    ...TEST_CAPABILITIES,
    // Without copies, so that nothing is waited for.
    canSeal: false,
    confinement: isConfined
      ? ({ state: 'confined', cause: null, detail: null } as const)
      : ({ state: 'none', cause: 'not_installed', detail: null } as const),
    harnesses: TEST_CAPABILITIES.harnesses.map((each) =>
      each.name === 'claude' ? { ...each, canaries: isConfined ? canaries : [] } : each,
    ),
  };
  return recordHeartbeat(runner, { protocol: 1, capabilities, running: [] }, at);
}

const CONFINED: Host = { isConfined: true };
const OPEN: Host = { isConfined: false };

interface Pool extends Cast {
  chainId: string;
  /** Can't confine agents. */
  open: TenantScope;
  confined: TenantScope;
}

/** Tier 1 is due, in a pool with one runner of each kind. */
async function mixedPool(config: Partial<ProjectConfig> = {}): Promise<Pool> {
  const cast = await makeCast({ tiers: TIERS, ...config }, START);
  const open = cast.runner;
  const confined = await scopeOfRunner(await enrolTestRunner(cast.alice, 'runner-2'));
  await beat(open, OPEN);
  await beat(confined, CONFINED);
  return { ...cast, open, confined, chainId: await startOne(cast, START) };
}

/** Tier 2 is due, after tier 1 has run on one of the two and the project was confined. */
async function tierTwoIsDue(first: 'open' | 'confined', config: Partial<ProjectConfig> = {}) {
  const pool = await mixedPool(config);
  await play(pool[first], await claimNext(pool[first], START), { report: wantsHelp() }, START);
  await saveConfig(pool, { tiers: TIERS, ...config, isolation: 'confined' });
  return { ...pool, attemptId: await nextAttemptId(pool.open) };
}

const chainOf = ({ alice, chainId }: Pool) =>
  inTransaction(alice, (db) => db.chain.findFirstOrThrow({ where: { id: chainId } }));

async function poolIdOf({ alice }: Pool): Promise<string> {
  const { id } = await inTransaction(alice, (db) => db.runnerPool.findFirstOrThrow({}));
  return id;
}

/** Takes what is in the queues, and returns whose they were. */
async function taken(pool: Pool): Promise<string[]> {
  const queues = {
    pool: poolQueue(await poolIdOf(pool)),
    open: runnerQueue(pool.open.actor.id),
    confined: runnerQueue(pool.confined.actor.id),
  };
  const found: string[] = [];
  for (const [whose, queue] of Object.entries(queues)) {
    while ((await takeAttemptJob(queue)) !== null) found.push(whose);
  }
  return found;
}

const needsHuman = { status: 'ended', outcome: 'needs_human', outcomeReason: 'NOT_CONFINED' };

async function decisionsOf({ alice, chainId }: Pool) {
  const { decisions } = await readChain(alice, chainId);
  return decisions.map(({ verdict, reason }) => [verdict, reason]);
}

describe('[BND-1.3] a tier of a confined project, in a pool with one host that can confine it', () => {
  it('is left to that host by the other one, says so, and starts there from the handoff', async () => {
    const pool = await tierTwoIsDue('open');
    await taken(pool);
    expect(await refusalOf(claimAttempt(pool.open, pool.attemptId, START))).toBe('not_confined');
    const statusText =
      'Tier 2 is waiting: this project is confined, and tier 2 has to start on runner runner-2, because runner runner-1 can’t confine agents.';
    expect(await chainOf(pool)).toMatchObject({
      status: 'waiting',
      waitReason: 'isolation',
      statusText,
    });
    const chain = await getChain(pool.alice, encodeId('chn', pool.chainId));
    expect(chainSentence(chain, 'default', [])).toBe(statusText);
    expect(await taken(pool)).toEqual(['confined']);
    const spec = await claimAttempt(pool.confined, pool.attemptId, START);
    expect(spec.start).toMatchObject({
      tier: 2,
      isolation: 'required',
      continuation: { mode: 'handoff' },
    });
    expect(await decisionsOf(pool)).toContainEqual(['handoff', 'OWNER_UNCONFINED']);
  });

  it('starts on it at once where it claims first, and is no work for the other then', async () => {
    const pool = await tierTwoIsDue('open', {
      continuation: { tier1To2: 'handoff', tier2To3: 'handoff' },
    });
    expect((await claimAttempt(pool.confined, pool.attemptId, START)).start.tier).toBe(2);
    expect(await refusalOf(claimAttempt(pool.open, pool.attemptId, START))).toBe('not_queued');
    expect((await chainOf(pool)).status).toBe('running');
  });

  it('resumes on it where it holds the conversation, and never waits for the other', async () => {
    const pool = await tierTwoIsDue('confined');
    expect(await refusalOf(claimAttempt(pool.open, pool.attemptId, START))).toBe('not_this_runner');
    const spec = await claimAttempt(pool.confined, pool.attemptId, START);
    expect(spec.start.continuation.mode).toBe('resume');
  });

  it('isn’t enqueued for the other one again, however long it waits', async () => {
    const pool = await tierTwoIsDue('open');
    await taken(pool);
    await refusalOf(claimAttempt(pool.open, pool.attemptId, START));
    await taken(pool);
    for (const seconds of [6, 12, 18, 24, 30]) {
      await enqueueWaiting(inSeconds(seconds));
      expect(await taken(pool)).toEqual(['confined']);
    }
    const { events } = await readChain(pool.alice, pool.chainId);
    expect(events.filter(({ code }) => code === 'CONFINED_ELSEWHERE')).toHaveLength(1);
  });

  it('is left to it, too, where the result of the tier before asks for the next attempt', async () => {
    const pool = await mixedPool();
    const spec = await claimNext(pool.open, START);
    const played = { report: wantsHelp() };
    const events = eventsOf(spec, played);
    const at = START.toISOString();
    const numbered = events.map((event, index) => ({ seq: index + 1, at, event }));
    const batch = { attemptId: spec.attemptId, fence: spec.fence, events: numbered };
    await recordEvents(pool.open, [batch], START);
    const result = resultOf(spec, events.length, played, START);
    const request = { ...result, events: [], claimsNext: true };
    await saveConfig(pool, { tiers: TIERS, isolation: 'confined' });
    await taken(pool);
    expect((await takeResult(pool.open, spec.attemptId, request, START)).next).toBeNull();
    expect((await chainOf(pool)).waitReason).toBe('isolation');
    const attemptId = await nextAttemptId(pool.open);
    expect(await listEnqueued(database)).toContainEqual({
      queue: runnerQueue(pool.confined.actor.id),
      attemptId,
    });
    // The job of the settlement may still be there for the first one, which leaves the attempt again.
    expect(await refusalOf(claimAttempt(pool.open, attemptId, START))).toBe('not_confined');
    expect((await claimAttempt(pool.confined, attemptId, START)).start.tier).toBe(2);
  });

  it('reaches it by long polling, and the other one only once', async () => {
    const pool = await tierTwoIsDue('open', {
      continuation: { tier1To2: 'handoff', tier2To3: 'handoff' },
    });
    await taken(pool);
    await enqueueWaiting(inSeconds(6));
    const next = (runner: TenantScope, gone = new AbortController()) => ({
      gone,
      answer: waitForAttempt(runner, gone.signal),
    });
    expect(await next(pool.open).answer).toEqual({ attemptId: pool.attemptId });
    const again = next(pool.open);
    expect(await refusalOf(claimAttempt(pool.open, pool.attemptId))).toBe('not_confined');
    expect(await next(pool.confined).answer).toEqual({ attemptId: pool.attemptId });
    await enqueueWaiting(inSeconds(12));
    expect(await next(pool.confined).answer).toEqual({ attemptId: pool.attemptId });
    again.gone.abort();
    expect(await again.answer).toEqual({ attemptId: null });
  });

  it('is put before people, and uses its approval, on that host alone', async () => {
    const [, two] = TIERS;
    const pool = await tierTwoIsDue('open', {
      tiers: [ONE, { ...two, requiresApproval: true }, THREE],
    });
    const { alice, attemptId } = pool;
    await inTransaction(alice, (db) =>
      db.chain.updateMany({ where: { id: pool.chainId }, data: { requestedPerson: null } }),
    );
    const claims = async (runner: TenantScope, at: Date) =>
      refusalOf(claimAttempt(runner, attemptId, at));
    expect(await claims(pool.open, START)).toBe('not_confined');
    expect(await approvalsOf(pool)).toEqual([]);
    expect(await claims(pool.confined, inSeconds(1))).toBe('held_back');
    await decide(alice, pool, 'approve', inSeconds(2));
    expect(await claims(pool.open, inSeconds(3))).toBe('not_confined');
    expect(await onlyApproval(pool)).toMatchObject({ status: 'approved', usedAt: null });
    expect(await claims(pool.confined, inSeconds(4))).toBe('none');
    expect(await onlyApproval(pool)).toMatchObject({ usedAt: inSeconds(4), granteeId: attemptId });
  });

  it('shows how busy that host is, and until when its chain waits', async () => {
    const pool = await tierTwoIsDue('open');
    await refusalOf(claimAttempt(pool.open, pool.attemptId, START));
    await enqueueWaiting(inSeconds(6));
    const due = inSeconds(ISOLATION_WAIT_MINUTES * 60).toISOString();
    expect(await chainOf(pool)).toMatchObject({
      waitReason: 'isolation',
      statusText: `Waiting for a runner that can confine agents, because this project is confined: 0 of 4 slots of runner-2 are busy. The chain needs a human if it hasn’t started by ${due.slice(0, 10)} ${due.slice(11, 16)} UTC.`,
    });
  });
});

describe('[BND-1.3] a tier of a confined project needs a human', () => {
  it.each<[string, (pool: Pool) => Promise<unknown>, string]>([
    [
      'while the host that can confine it is offline',
      ({ confined }) => beat(confined, CONFINED, inSeconds(-61)),
      'runner-2 is offline',
    ],
    [
      'while its canary has failed',
      ({ confined }) => beat(confined, { isConfined: true, canary: 'failed' }),
      'runner-2 hasn’t passed the canary',
    ],
    [
      'while that host allows other tiers only',
      ({ alice, confined }) =>
        inTransaction(alice, (db) =>
          db.runner.updateMany({
            where: { id: confined.actor.id },
            data: { allowedTiers: [1] },
          }),
        ),
      'runner-2 doesn’t allow the tier',
    ],
  ])('%s, and the reason names it', async (_what, change, obstacle) => {
    const pool = await tierTwoIsDue('open');
    await change(pool);
    expect(await refusalOf(claimAttempt(pool.open, pool.attemptId, START))).toBe('held_back');
    expect(await chainOf(pool)).toMatchObject({
      ...needsHuman,
      statusText: `Tier 2 was not started: this project is confined, and runner runner-1 can’t confine agents. Others of its pool can confine agents, but ${obstacle}. bubblewrap isn’t installed on the host. Install the package bubblewrap, for example with \`apt install bubblewrap\`. The runner notices within a minute.`,
      servicesAffected: ['web'],
    });
  });

  it('once the host that it waits for is offline', async () => {
    const pool = await tierTwoIsDue('open');
    await refusalOf(claimAttempt(pool.open, pool.attemptId, START));
    await taken(pool);
    const later = inSeconds(62);
    await beat(pool.open, OPEN, later);
    await enqueueWaiting(later);
    // Whoever takes it next ends it.
    expect(await taken(pool)).toEqual(['pool']);
    expect((await chainOf(pool)).status).toBe('waiting');
    expect(await refusalOf(claimAttempt(pool.open, pool.attemptId, later))).toBe('held_back');
    expect(await chainOf(pool)).toMatchObject({
      ...needsHuman,
      statusText: expect.stringContaining('but runner-2 is offline.'),
    });
    await startOne(pool, later);
  });

  it.each([
    ['that is online', true, 'Runner runner-2 is online and can: check its free slots'],
    ['that is gone', false, 'Connect one to its pool.'],
  ])('after half an hour of waiting for a host %s', async (_what, isOnline, remedy) => {
    const pool = await tierTwoIsDue('open');
    await refusalOf(claimAttempt(pool.open, pool.attemptId, START));
    const almost = inSeconds(ISOLATION_WAIT_MINUTES * 60 - 1);
    await refusalOf(claimAttempt(pool.open, pool.attemptId, inSeconds(1)));
    await endHostWaits(almost);
    expect((await chainOf(pool)).status).toBe('waiting');
    const late = inSeconds(ISOLATION_WAIT_MINUTES * 60);
    if (isOnline) await beat(pool.confined, CONFINED, late);
    await endHostWaits(late);
    const chain = await chainOf(pool);
    expect(chain).toMatchObject(needsHuman);
    expect(chain.statusText).toContain(
      `Tier 2 was not started: this project is confined, and within 30 minutes no runner that can confine agents claimed it. ${remedy}`,
    );
    expect(await refusalOf(claimAttempt(pool.confined, pool.attemptId, late))).toBe('not_queued');
  });

  it('where it continues a conversation on a host that can’t confine it now', async () => {
    const pool = await tierTwoIsDue('confined');
    const third = await scopeOfRunner(await enrolTestRunner(pool.alice, 'runner-3'));
    await beat(third, CONFINED);
    const spec: AttemptSpec = await claimAttempt(pool.confined, pool.attemptId, START);
    const result = { stopCause: 'stalled', exit: { code: 0, signal: null } } as const;
    await play(pool.confined, spec, { isSilent: true, result }, START);
    await beat(pool.confined, OPEN);
    const next = await nextAttemptId(pool.open);
    expect(await refusalOf(claimAttempt(third, next, START))).toBe('not_this_runner');
    expect(await refusalOf(claimAttempt(pool.confined, next, START))).toBe('held_back');
    expect(await chainOf(pool)).toMatchObject({
      ...needsHuman,
      statusText: expect.stringContaining(
        'It can’t move to runner runner-3, because it continues a conversation that is on runner-2.',
      ),
    });
  });
});

it('[BND-1.3] a host whose canary still runs is waited for, and notified by its result', async () => {
  const pool = await tierTwoIsDue('open');
  await beat(pool.confined, { isConfined: true, canary: 'pending' });
  await taken(pool);
  expect(await refusalOf(claimAttempt(pool.open, pool.attemptId, START))).toBe('not_confined');
  await enqueueWaiting(inSeconds(6));
  expect(await taken(pool)).toEqual([]);
  await beat(pool.confined, CONFINED, inSeconds(7));
  expect(await taken(pool)).toEqual(['confined']);
  expect((await claimAttempt(pool.confined, pool.attemptId, inSeconds(7))).start.tier).toBe(2);
});

it('[BND-1.3] waiting for a canary and for isolation in turn doesn’t extend the wait', async () => {
  const pool = await tierTwoIsDue('open');
  const pending: Host = { isConfined: true, canary: 'pending' };
  await beat(pool.confined, pending);
  const due = async () => {
    const { proofDueAt } = await inTransaction(pool.alice, (db) =>
      db.attempt.findFirstOrThrow({ where: { id: pool.attemptId } }),
    );
    return proofDueAt;
  };
  await refusalOf(claimAttempt(pool.open, pool.attemptId, START));
  const first = await due();
  expect(await refusalOf(claimAttempt(pool.confined, pool.attemptId, inSeconds(5)))).toBe(
    'held_back',
  );
  expect((await chainOf(pool)).waitReason).toBe('canary');
  await refusalOf(claimAttempt(pool.open, pool.attemptId, inSeconds(10)));
  expect((await chainOf(pool)).waitReason).toBe('isolation');
  expect(await due()).toEqual(first);
});

it('[BND-1.3] a turn of a conversation is left to the host that can confine it', async () => {
  const cast = await makeCast({}, START);
  const conversation = await talk(cast);
  await saveConfig(cast, { isolation: 'confined', tiers: [ONE, TWO, THREE] });
  const confined = await scopeOfRunner(await enrolTestRunner(cast.alice, 'runner-2'));
  await beat(cast.runner, OPEN, new Date());
  await beat(confined, CONFINED, new Date());
  await askTurn(cast.alice, conversation.id, { message: 'And db?', forceFresh: false });
  expect(await refusalOf(claimNext(cast.runner))).toBe('not_confined');
  expect((await conversation.lastTurn()).statusText).toContain('has to start on runner runner-2');
  expect((await listEnqueued(database)).map(({ queue }) => queue)).toContain(
    runnerQueue(confined.actor.id),
  );
  await answerNext(confined, 'db is well');
  // What an unconfined agent held isn't continued by a confined one.
  expect((await conversation.lastTurn()).start?.reason).toBe('EPOCH_BASE');
});
