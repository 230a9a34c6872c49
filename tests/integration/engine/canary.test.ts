/** Tiers above 1 start only where the agent has proven, in its version, that it refuses forbidden commands. */
import { expect, it } from 'vitest';
import { claimAttempt } from '@/lib/engine/claim';
import { recordHeartbeat } from '@/lib/engine/directives';
import { scopeOfRunner } from '@/lib/identity/tenancy/make-scope';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import type { Canary } from '@/lib/protocol/canary';
import type { Posture } from '@/lib/protocol/schema';
import { type Cast, enrolTestRunner, makeCast } from '@/tests/support/cast/organization';
import { TEST_POSTURE } from '@/tests/support/cast/posture';
import { claimNext, nextAttemptId, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { refusalOf, startOne } from './support/running';

useTestDatabase();

const [ONE, TWO, THREE] = DEFAULT_TIERS;

function beat(
  runner: TenantScope,
  canaries: Canary[] | undefined,
  version = '2.1.330',
): Promise<unknown> {
  const posture: Posture = {
    ...TEST_POSTURE,
    // Without copies, so that nothing is waited for.
    canSeal: false,
    confinement: { state: 'confined', cause: null, detail: null },
    harnesses: TEST_POSTURE.harnesses.map((harness) =>
      harness.name === 'claude' ? { ...harness, version, canaries } : harness,
    ),
  };
  return recordHeartbeat(runner, { protocol: 1, posture, running: [] });
}

const canary = (mode: Canary['mode'], state: Canary['state']): Canary => ({
  mode,
  state,
  detail: state === 'failed' ? 'It ran a command that no rule allows.' : null,
});

/** Tier 1 has asked for tier 2, with what the runner reports. */
async function tierTwoIsDue(
  canaries: Canary[] | undefined,
  isolation: 'required' | 'preferred' | 'off' = 'off',
): Promise<Cast & { chainId: string }> {
  const tiers = [ONE, { ...TWO, isEnabled: true, isolation }, THREE] as const;
  const cast = await makeCast({ tiers: [...tiers] });
  await beat(cast.runner, canaries);
  const chainId = await startOne(cast);
  await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp() });
  return { ...cast, chainId };
}

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
  const other = await scopeOfRunner(await enrolTestRunner(cast.alice, 'runner-2'));
  await beat(other, [canary('open', 'passed')]);
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
  ['required', [canary('confined', 'passed'), canary('open', 'failed')], 'none'],
  ['required', [canary('confined', 'failed'), canary('open', 'passed')], 'cli_denied'],
  ['preferred', [canary('confined', 'failed'), canary('open', 'passed')], 'cli_denied'],
  ['preferred', [canary('open', 'failed')], 'cli_denied'],
  ['off', [canary('confined', 'failed'), canary('open', 'passed')], 'none'],
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
