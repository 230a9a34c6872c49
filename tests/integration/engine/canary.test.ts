/** Tiers above 1 start only where the agent has proven, in its version, that it refuses forbidden commands. */
import { describe, expect, it } from 'vitest';
import { claimAttempt } from '@/lib/engine/claim';
import { recordHeartbeat } from '@/lib/engine/directives';
import { PROOF_WAIT_MINUTES } from '@/lib/engine/start-policy/host-gates';
import { endHostWaits } from '@/lib/engine/sweep/end-host-waits';
import { enqueueWaiting, notifyEligibleRunners } from '@/lib/engine/sweep/sweep';
import { runnerQueue } from '@/lib/fleet/queues';
import { scopeOfRunner } from '@/lib/identity/tenancy/make-scope';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { takeAttemptJob } from '@/lib/platform/queue/enqueue';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import { pauseProject, resumeProject } from '@/lib/projects/pauses';
import type { Canary } from '@/lib/protocol/canary';
import type { Isolation } from '@/lib/protocol/confinement';
import type { Capabilities } from '@/lib/protocol/schema';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, enrolTestRunner, makeCast } from '@/tests/support/cast/organization';
import { claimNext, nextAttemptId, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { listEnqueued } from './support/enqueued';
import { refusalOf, startOne } from './support/running';

const database = useTestDatabase();

const [ONE, TWO, THREE] = DEFAULT_TIERS;

function beat(
  runner: TenantScope,
  canaries: Canary[] | undefined,
  version = '2.1.330',
  now = new Date(),
): Promise<unknown> {
  const capabilities: Capabilities = {
    ...TEST_CAPABILITIES,
    // Without copies, so that nothing is waited for.
    canSeal: false,
    confinement: { state: 'confined', cause: null, detail: null },
    harnesses: TEST_CAPABILITIES.harnesses.map((harness) =>
      harness.name === 'claude' ? { ...harness, version, canaries } : harness,
    ),
  };
  return recordHeartbeat(runner, { protocol: 1, capabilities, running: [] }, now);
}

const canary = (mode: Canary['mode'], state: Canary['state']): Canary => ({
  mode,
  state,
  detail: state === 'failed' ? 'It ran a command that no rule allows.' : null,
});

/** Tier 1 has asked for tier 2, with what the runner reports. */
async function tierTwoIsDue(
  canaries: Canary[] | undefined,
  isolation: Isolation = 'open',
): Promise<Cast & { chainId: string }> {
  const tiers = [ONE, { ...TWO, isEnabled: true }, THREE] as const;
  const cast = await makeCast({ isolation, tiers: [...tiers] });
  await beat(cast.runner, canaries);
  const chainId = await startOne(cast);
  await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp() });
  return { ...cast, chainId };
}

async function another(cast: Cast, name: string, canaries: Canary[]): Promise<TenantScope> {
  const runner = await scopeOfRunner(await enrolTestRunner(cast.alice, name));
  await beat(runner, canaries);
  return runner;
}

/** The runners' queues in which an attempt is, by the position of their runner. */
async function queuesOf(attemptId: string, runners: TenantScope[]): Promise<boolean[]> {
  const enqueued = (await listEnqueued(database)).filter((each) => each.attemptId === attemptId);
  const queues = enqueued.map(({ queue }) => queue);
  return runners.map(({ actor }) => queues.includes(runnerQueue(actor.id)));
}

async function emptyQueue({ actor }: TenantScope): Promise<void> {
  while ((await takeAttemptJob(runnerQueue(actor.id))) !== null);
}

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const FAILED = [canary('open', 'failed')];

const chainOf = ({ alice, chainId }: Cast & { chainId: string }) =>
  inTransaction(alice, (db) => db.chain.findFirstOrThrow({ where: { id: chainId } }));

it('[BND-5.3] a failed canary closes tier 2 on its host, with the reason, and not on another one', async () => {
  const cast = await tierTwoIsDue([canary('open', 'failed')]);
  const attemptId = await nextAttemptId(cast.runner);
  expect(await refusalOf(claimAttempt(cast.runner, attemptId))).toBe('cli_denied');
  expect(await chainOf(cast)).toMatchObject({
    status: 'waiting',
    waitReason: 'canary',
    statusText: expect.stringContaining(
      'the canary of Claude Code 2.1.330 failed on runner runner-1 (It ran a command',
    ),
  });
  const other = await another(cast, 'runner-2', [canary('open', 'passed')]);
  expect((await claimAttempt(other, attemptId)).start).toMatchObject({
    tier: 2,
    continuation: { mode: 'handoff' },
  });
  const [decision] = await inTransaction(cast.alice, (db) =>
    db.decision.findMany({ where: { kind: 'continuation' }, orderBy: { id: 'desc' }, take: 1 }),
  );
  expect(decision).toMatchObject({ verdict: 'handoff', reason: 'OWNER_UNPROVEN' });
});

it('[BND-5.3] a canary that has not ended is waited for, and the tier starts once it has passed', async () => {
  const cast = await tierTwoIsDue([canary('open', 'pending')]);
  const attemptId = await nextAttemptId(cast.runner);
  expect(await refusalOf(claimAttempt(cast.runner, attemptId))).toBe('held_back');
  expect((await chainOf(cast)).waitReason).toBe('canary');
  await beat(cast.runner, [canary('open', 'passed')]);
  expect((await claimAttempt(cast.runner, attemptId)).start).toMatchObject({
    tier: 2,
    continuation: { mode: 'resume' },
  });
});

it.each([
  ['confined', [canary('confined', 'passed'), canary('open', 'failed')], 'none'],
  ['confined', [canary('confined', 'failed'), canary('open', 'passed')], 'cli_denied'],
  ['open', [canary('confined', 'failed'), canary('open', 'passed')], 'none'],
] as const)(
  '[BND-5.3] counts as the tier would start, isolation %s: %j',
  async (isolation, canaries, expected) => {
    const cast = await tierTwoIsDue([...canaries], isolation);
    const claimed = claimAttempt(cast.runner, await nextAttemptId(cast.runner));
    expect(await refusalOf(claimed)).toBe(expected);
  },
);

it('[BND-5.3] a runner from before canaries starts tier 2 only once it is updated; another one may', async () => {
  const cast = await tierTwoIsDue(undefined);
  const attemptId = await nextAttemptId(cast.runner);
  expect(await refusalOf(claimAttempt(cast.runner, attemptId))).toBe('cli_denied');
  expect(await chainOf(cast)).toMatchObject({
    status: 'waiting',
    waitReason: 'canary',
    statusText: expect.stringContaining('runner runner-1 is too old to prove that Claude Code'),
  });
  await beat(cast.runner, [canary('open', 'passed')]);
  expect((await claimAttempt(cast.runner, attemptId)).start).toMatchObject({ tier: 2 });
});

it('[BND-5.3] tier 1 starts without one', async () => {
  const cast = await makeCast();
  await beat(cast.runner, [canary('open', 'failed')]);
  await startOne(cast);
  expect((await claimNext(cast.runner)).start.tier).toBe(1);
});

it('[BND-5.3] a refused attempt is sent to runners that have passed, and not back to one that has not', async () => {
  const cast = await tierTwoIsDue(FAILED);
  const failing = await another(cast, 'runner-2', FAILED);
  const pending = await another(cast, 'runner-3', [canary('open', 'pending')]);
  const passed = await another(cast, 'runner-4', [canary('open', 'passed')]);
  const runners = [cast.runner, failing, pending, passed];
  const attemptId = await nextAttemptId(cast.runner);
  for (const runner of runners) await emptyQueue(runner);
  expect(await refusalOf(claimAttempt(cast.runner, attemptId))).toBe('cli_denied');
  expect(await queuesOf(attemptId, runners)).toEqual([false, false, false, true]);
  await emptyQueue(passed);
  expect(await refusalOf(claimAttempt(failing, attemptId))).toBe('cli_denied');
  expect(await queuesOf(attemptId, runners)).toEqual([false, false, false, true]);
});

it('[BND-5.3] a refused runner is not sent the attempt again, whatever the reason', async () => {
  const cast = await tierTwoIsDue(FAILED);
  const attemptId = await nextAttemptId(cast.runner);
  await emptyQueue(cast.runner);
  await beat(cast.runner, [canary('open', 'passed')]);
  await notifyEligibleRunners(cast.runner, attemptId, new Date());
  expect(await queuesOf(attemptId, [cast.runner])).toEqual([false]);
});

it('[BND-5.3] a pending canary enqueues nothing, and the heartbeat with its result does', async () => {
  const cast = await tierTwoIsDue([canary('open', 'pending')]);
  const attemptId = await nextAttemptId(cast.runner);
  await emptyQueue(cast.runner);
  expect(await refusalOf(claimAttempt(cast.runner, attemptId))).toBe('held_back');
  expect(await queuesOf(attemptId, [cast.runner])).toEqual([false]);
  await beat(cast.runner, [canary('open', 'passed')]);
  expect(await queuesOf(attemptId, [cast.runner])).toEqual([true]);
  await emptyQueue(cast.runner);
  await beat(cast.runner, [canary('open', 'passed')]);
  expect(await queuesOf(attemptId, [cast.runner])).toEqual([false]);
  // A signal that is lost is repeated.
  await enqueueWaiting(new Date(Date.now() + 6_000));
  expect(await queuesOf(attemptId, [cast.runner])).toEqual([true]);
  expect((await claimAttempt(cast.runner, attemptId)).start.tier).toBe(2);
});

it('[BND-5.3] unproven runners that claim in turn write each of their reasons once', async () => {
  const cast = await tierTwoIsDue(FAILED);
  const other = await another(cast, 'runner-2', FAILED);
  const attemptId = await nextAttemptId(cast.runner);
  for (const runner of [cast.runner, other, cast.runner, other]) {
    expect(await refusalOf(claimAttempt(runner, attemptId))).toBe('cli_denied');
  }
  const where = { chainId: cast.chainId, code: 'CANARY_FAILED' };
  expect(await inTransaction(cast.alice, (db) => db.projectEvent.count({ where }))).toBe(2);
});

describe('[BND-5.3] a chain whose tier waits for a canary', () => {
  it.each(['failed', 'pending'] as const)(
    'ends as needs a human when no runner has passed in time: %s',
    async (state) => {
      const cast = await tierTwoIsDue([canary('open', state)]);
      const attemptId = await nextAttemptId(cast.runner);
      await refusalOf(claimAttempt(cast.runner, attemptId));
      await endHostWaits(inMinutes(PROOF_WAIT_MINUTES - 1));
      expect((await chainOf(cast)).status).toBe('waiting');
      await refusalOf(claimAttempt(cast.runner, attemptId, inMinutes(PROOF_WAIT_MINUTES - 1)));
      const late = inMinutes(PROOF_WAIT_MINUTES + 1);
      await beat(cast.runner, [canary('open', state)], '2.1.330', late);
      await endHostWaits(late);
      const chain = await chainOf(cast);
      expect(chain).toMatchObject({
        status: 'ended',
        outcome: 'needs_human',
        outcomeReason: 'CANARY_FAILED',
        servicesAffected: ['web'],
      });
      expect(chain.statusText).toMatch(
        /^Tier 2 was not started: within 15 minutes no runner proved that its agent refuses forbidden commands\. .*Claude Code 2\.1\.330.* on runner runner-1/,
      );
      expect(await refusalOf(claimAttempt(cast.runner, attemptId))).toBe('not_queued');
      // The project is free for its next chain.
      await startOne(cast);
    },
  );

  it('ends, too, when its runner is gone', async () => {
    const cast = await tierTwoIsDue(FAILED);
    await refusalOf(claimAttempt(cast.runner, await nextAttemptId(cast.runner)));
    await endHostWaits(inMinutes(PROOF_WAIT_MINUTES + 1));
    expect(await chainOf(cast)).toMatchObject({
      outcome: 'needs_human',
      statusText: expect.stringMatching(/Connect a runner to its pool\.$/),
    });
  });

  it.each(['failed', 'pending'] as const)(
    'waits longer for a runner that has passed and has no free slot: %s',
    async (state) => {
      const cast = await tierTwoIsDue([canary('open', state)]);
      const attemptId = await nextAttemptId(cast.runner);
      await refusalOf(claimAttempt(cast.runner, attemptId));
      const late = inMinutes(PROOF_WAIT_MINUTES + 1);
      const busy = await another(cast, 'runner-2', []);
      await beat(busy, [canary('open', 'passed')], '2.1.330', late);
      await endHostWaits(late);
      expect((await chainOf(cast)).status).toBe('waiting');
      expect((await claimAttempt(busy, attemptId, late)).start.tier).toBe(2);
      await endHostWaits(inMinutes(100));
      expect((await chainOf(cast)).status).toBe('running');
    },
  );

  it('does not count the time of a pause in between', async () => {
    const cast = await tierTwoIsDue(FAILED);
    const attemptId = await nextAttemptId(cast.runner);
    await refusalOf(claimAttempt(cast.runner, attemptId));
    await pauseProject(cast.alice, cast.projectSlug, { reason: 'deploying' });
    expect(await refusalOf(claimAttempt(cast.runner, attemptId, inMinutes(1)))).toBe('held_back');
    await endHostWaits(inMinutes(59));
    await resumeProject(cast.alice, cast.projectSlug);
    expect(await refusalOf(claimAttempt(cast.runner, attemptId, inMinutes(60)))).toBe('cli_denied');
    await endHostWaits(inMinutes(61));
    expect((await chainOf(cast)).status).toBe('waiting');
    await endHostWaits(inMinutes(60 + PROOF_WAIT_MINUTES + 1));
    expect((await chainOf(cast)).outcome).toBe('needs_human');
  });
});
