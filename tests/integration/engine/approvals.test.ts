/** Commands and starts of tiers that people decide about, on the stored rows. */
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { decideApproval } from '@/lib/engine/approvals/decide-approval';
import { markUsedByStart } from '@/lib/engine/approvals/start-use';
import { startChain } from '@/lib/engine/chains/start-chain';
import { stopChain } from '@/lib/engine/chains/stop-chain';
import { claimAttempt } from '@/lib/engine/claim';
import { recordHeartbeat } from '@/lib/engine/directives';
import { settleAttempt, settleLostAttempt } from '@/lib/engine/settle';
import { expireApprovals } from '@/lib/engine/sweep/expire-approvals';
import { recordResult } from '@/lib/engine/take-result';
import { changeRole, removeMember } from '@/lib/identity/members/change-membership';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { liveHub } from '@/lib/platform/live/hub';
import { DEFAULT_APPROVALS } from '@/lib/projects/approval-settings';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import type { ProjectConfig } from '@/lib/projects/schema';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
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
import { untilBlocked } from '../conversations/support/blocked';
import { secondRunner } from '../conversations/support/second-runner';
import { joined } from '../members/people';
import {
  type Asked,
  approvalsOf,
  ask,
  decide,
  endForApproval,
  notRun,
  onlyApproval,
  type Scene,
  tierTwoRuns,
} from './support/approving';
import { command, refusalOf, saveConfig, send, startOne } from './support/running';

const database = useTestDatabase();
afterAll(() => liveHub().close());

const [ONE, TWO, THREE] = DEFAULT_TIERS;
const HOUR = 3_600_000;
/** A refused command doesn’t end the chain. */
const CONTINUES: Partial<ProjectConfig> = {
  approvals: { ...DEFAULT_APPROVALS, onRefusal: 'resume' },
};

const chainOf = ({ cast, chainId }: Pick<Scene, 'cast' | 'chainId'>) =>
  inTransaction(cast.alice, (db) => db.chain.findFirstOrThrow({ where: { id: chainId } }));

const needsHuman = (outcomeReason: string) => ({
  status: 'ended',
  outcome: 'needs_human',
  outcomeReason,
});

const refusalOfNextClaim = async (cast: Cast, now: Date) =>
  refusalOf(claimAttempt(cast.runner, await nextAttemptId(cast.runner), now));

/** Alice decides about one of several. */
function decideOne(
  cast: Cast,
  row: { id: string; digest: string } | undefined,
  verdict: 'approve' | 'refuse',
  now: Date,
): Promise<void> {
  if (!row) throw new Error('There is no such approval.');
  const decision = { verdict, digest: row.digest, note: '' };
  return decideApproval(cast.alice, encodeId('apr', row.id), decision, now);
}

const liveSessions = (cast: Cast) =>
  inTransaction(cast.alice, (db) => db.session.count({ where: { endedAt: null } }));

const auditOf = (cast: Cast) =>
  inTransaction(cast.alice, async (db) =>
    (await db.auditLog.findMany()).map(({ action }) => action),
  );

describe('a command that needs approval', () => {
  it('[BND-4.1] is asked about with everything that it is bound to, and counts for nothing before it is approved', async () => {
    const scene = await tierTwoRuns();
    const { cast, now } = scene;
    const answer = await ask(scene, {}, now);
    const approval = await onlyApproval(cast);
    expect(answer).toEqual({ verdict: 'waiting', approvalId: approval.id, isHeld: true });
    expect(await ask(scene, {}, now)).toEqual(answer);
    expect(approval).toMatchObject({
      kind: 'command',
      status: 'pending',
      tier: 2,
      argv: ['docker', 'restart', 'web'],
      cwd: '/project',
      services: ['web'],
      reason: 'web doesn’t answer.',
      rule: 'Bash(docker restart {service})',
      chainId: scene.chainId,
      runnerId: cast.runner.actor.id,
      minRole: 'operator',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const counted = () => inTransaction(cast.alice, (db) => db.cooldownAction.count());
    expect(await counted()).toBe(0);
    await decide(cast.alice, cast, 'approve', now);
    expect(await ask(scene, {}, now)).toEqual({ verdict: 'allowed' });
    expect(await ask(scene, {}, now)).toEqual({ verdict: 'allowed' });
    expect(await counted()).toBe(1);
  });

  it('[BND-4.1] isn’t asked about if its cooldown is exhausted', async () => {
    const scene = await tierTwoRuns();
    await saveConfig(scene.cast, {
      cooldowns: [{ action: 'restart', limit: 0, windowSeconds: 3_600 }],
    });
    expect(await ask(scene, {}, scene.now)).toMatchObject({ code: 'cooldown' });
    expect(await approvalsOf(scene.cast)).toEqual([]);
  });

  it('[BND-4.4] that was approved covers no other command, number, attempt or host, and no second use', async () => {
    const scene = await tierTwoRuns();
    const { cast, now } = scene;
    await ask(scene, {}, now);
    await decide(cast.alice, cast, 'approve', now);
    const others: Asked[] = [
      { digest: 'b'.repeat(64), number: 2 },
      { number: 3, line: 'docker restart db', digest: 'c'.repeat(64) },
    ];
    for (const other of others)
      expect(await ask(scene, other, now)).toMatchObject({ verdict: 'waiting' });
    expect(await ask(scene, {}, now)).toEqual({ verdict: 'allowed' });
    expect(await ask(scene, { number: 4 }, now)).toMatchObject({ verdict: 'waiting' });
  });

  it('[BND-4.4] two people who decide at once leave one decision', async () => {
    const scene = await tierTwoRuns();
    const { cast, now } = scene;
    const bo = (await joined(cast.alice, 'operator')).scope;
    await ask(scene, {}, now);
    const { id, digest } = await onlyApproval(cast);
    const outcomes = await Promise.allSettled([
      decideApproval(
        cast.alice,
        encodeId('apr', id),
        { verdict: 'approve', digest, note: '' },
        now,
      ),
      decideApproval(bo, encodeId('apr', id), { verdict: 'refuse', digest, note: '' }, now),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const after = await onlyApproval(cast);
    expect(after.votes).toHaveLength(1);
    expect(after.status).toBe(after.votes[0]?.verdict === 'approve' ? 'approved' : 'refused');
  });

  it('[BND-4.1] needs as many people as configured, of the configured role, and not who started the chain', async () => {
    const scene = await tierTwoRuns({
      approvals: { ...DEFAULT_APPROVALS, people: 2, operatorsUpToTier: 1 },
    });
    const { cast, chainId, now } = scene;
    const [operator, admin, owner] = [
      (await joined(cast.alice, 'operator')).scope,
      (await joined(cast.alice, 'admin')).scope,
      (await joined(cast.alice, 'admin')).scope,
    ];
    await ask(scene, {}, now);
    await inTransaction(cast.alice, (db) =>
      db.approval.updateMany({ data: { requester: cast.alice.actor.label } }),
    );
    expect(chainId).toBeTruthy();
    expect(await refusalOf(decide(operator, cast, 'approve', now))).toBe('forbidden');
    expect(await refusalOf(decide(cast.alice, cast, 'approve', now))).toBe('forbidden');
    await decide(admin, cast, 'approve', now);
    expect(await refusalOf(decide(admin, cast, 'approve', now))).toBe('conflict');
    expect((await onlyApproval(cast)).status).toBe('pending');
    await decide(owner, cast, 'approve', now);
    expect((await onlyApproval(cast)).status).toBe('approved');
  });

  it('[BND-4.1] can’t be decided by somebody who was just removed or demoted', async () => {
    const scene = await tierTwoRuns();
    const { cast, now } = scene;
    const removed = (await joined(cast.alice, 'operator')).scope;
    const demoted = (await joined(cast.alice, 'operator')).scope;
    await ask(scene, {}, now);
    await removeMember(cast.alice, encodeId('mem', removed.actor.id), { revokeTokens: true });
    await changeRole(cast.alice, encodeId('mem', demoted.actor.id), {
      role: 'viewer',
      revokeTokens: true,
    });
    expect(await refusalOf(decide(removed, cast, 'approve', now))).toBe('forbidden');
    expect(await refusalOf(decide(demoted, cast, 'approve', now))).toBe('forbidden');
    expect((await onlyApproval(cast)).votes).toEqual([]);
  });

  it('[BND-4.2] that nobody waits for is withdrawn, and so is one whose agent finished', async () => {
    const scene = await tierTwoRuns();
    const { cast, now } = scene;
    await ask(scene, {}, now);
    expect(await ask(scene, { isWithdrawn: true }, now)).toMatchObject({
      code: 'approval_withdrawn',
    });
    await ask(scene, { number: 2, digest: 'b'.repeat(64) }, now);
    await play(cast.runner, scene.spec, { report: {} }, now);
    const states = (await approvalsOf(cast)).map(({ status }) => status);
    expect(states).toEqual(['withdrawn', 'withdrawn']);
    expect(await refusalOf(decide(cast.alice, cast, 'approve', now))).toBe('none');
  });
});

describe('[BND-4.5] a command that its runner was allowed to run, and never ran', () => {
  const counted = (cast: Cast) => inTransaction(cast.alice, (db) => db.cooldownAction.count());

  it('leaves nothing of an approval that another command has used to the conversation that continues', async () => {
    const scene = await tierTwoRuns();
    const { cast, now } = scene;
    await ask(scene, {}, now);
    await decide(cast.alice, cast, 'approve', now);
    expect(await ask(scene, {}, now)).toEqual({ verdict: 'allowed' });
    const used = await onlyApproval(cast);
    expect(used).toMatchObject({ usedAt: now, usedNumber: 1, granteeId: scene.spec.attemptId });
    // The next command of the agent waits, so its process ends and its conversation continues.
    await ask(scene, { number: 2, line: 'docker restart db', digest: 'b'.repeat(64) }, now);
    await endForApproval(scene, now);
    await decide(cast.alice, cast, 'approve', now);
    const next = { cast, spec: await claimNext(cast.runner, now) };
    expect(next.spec.start.prompt).not.toContain('- Approved: `docker restart web`');
    // Under the number of the use, and under another.
    expect(await ask(next, { number: 1 }, now)).toMatchObject({ verdict: 'waiting' });
    expect(await ask(next, { number: 2 }, now)).toMatchObject({ verdict: 'waiting' });
  });

  it('has used neither its approval nor its cooldown, and runs in the conversation that continues', async () => {
    const scene = await tierTwoRuns();
    const { cast, now } = scene;
    await ask(scene, {}, now);
    await decide(cast.alice, cast, 'approve', now);
    expect(await ask(scene, {}, now)).toEqual({ verdict: 'allowed' });
    expect(await counted(cast)).toBe(1);
    await endForApproval(scene, now, [notRun(1, 'approval_pending')]);
    expect(await counted(cast)).toBe(0);
    expect(await onlyApproval(cast)).toMatchObject({ status: 'approved', usedAt: null });
    expect(await auditOf(cast)).toContain('approval.returned');
    const next = { cast, spec: await claimNext(cast.runner, now) };
    expect(next.spec.start.prompt).toContain('- Approved: `docker restart web`');
    expect(await ask(next, { number: 1 }, now)).toEqual({ verdict: 'allowed' });
    expect(await ask(next, { number: 2 }, now)).toMatchObject({ verdict: 'waiting' });
  });

  it('leaves no request that nobody waits for', async () => {
    const scene = await tierTwoRuns();
    const { cast, now } = scene;
    await ask(scene, {}, now);
    await ask(scene, { number: 2, digest: 'b'.repeat(64) }, now);
    await endForApproval(scene, now, [notRun(1, 'not_authorized'), notRun(2, 'approval_pending')]);
    const states = (await approvalsOf(cast)).map(({ status }) => status);
    expect(states).toEqual(['withdrawn', 'pending']);
    expect(await auditOf(cast)).toContain('approval.withdrawn');
  });

  it('isn’t decided any longer once another command has used up its cooldown', async () => {
    const scene = await tierTwoRuns();
    const { cast, now } = scene;
    await ask(scene, {}, now);
    const cooldowns = [{ action: 'restart' as const, limit: 0, windowSeconds: 3_600 }];
    await saveConfig(cast, { cooldowns });
    expect(await ask(scene, {}, now)).toMatchObject({ code: 'cooldown' });
    expect((await onlyApproval(cast)).status).toBe('withdrawn');
  });

  it('[BND-4.2] is refused because a person has refused it, although its cooldown was used up since then', async () => {
    const scene = await tierTwoRuns(CONTINUES);
    const { cast, now } = scene;
    await ask(scene, {}, now);
    await decide(cast.alice, cast, 'refuse', now, 'A backup runs.');
    const cooldowns = [{ action: 'restart' as const, limit: 0, windowSeconds: 3_600 }];
    await saveConfig(cast, { cooldowns });
    expect(await ask(scene, {}, now)).toMatchObject({
      code: 'approval_refused',
      message: expect.stringContaining('A backup runs'),
    });
    const other = { number: 2, line: 'docker restart db', digest: 'b'.repeat(64) };
    expect(await ask(scene, other, now)).toMatchObject({ code: 'cooldown' });
  });

  it('[BND-4.2] ends its chain because a person has refused it, although its cooldown was used up since then', async () => {
    const scene = await tierTwoRuns({ approvals: { ...DEFAULT_APPROVALS, onRefusal: 'end' } });
    const { cast, now } = scene;
    await ask(scene, {}, now);
    await decide(cast.alice, cast, 'refuse', now);
    const cooldowns = [{ action: 'restart' as const, limit: 0, windowSeconds: 3_600 }];
    await saveConfig(cast, { cooldowns });
    expect(await ask(scene, {}, now)).toMatchObject({ verdict: 'waiting', isHeld: false });
  });

  it('isn’t requested again and again by an agent that doesn’t wait', async () => {
    const scene = await tierTwoRuns();
    const { cast, now } = scene;
    for (const number of [1, 2, 3]) {
      expect(await ask(scene, { number }, now)).toMatchObject({ verdict: 'waiting' });
      await ask(scene, { number, isWithdrawn: true }, now);
    }
    expect(await ask(scene, { number: 4 }, now)).toMatchObject({ code: 'too_many_approvals' });
    expect(await approvalsOf(cast)).toHaveLength(3);
  });
});

describe('[BND-4.2] a wait that is too long for a process', () => {
  it('ends it, continues its conversation after an approval an hour later, and lets that command run once', async () => {
    const scene = await tierTwoRuns();
    const { cast, spec, now } = scene;
    await ask(scene, {}, now);
    const parked = new Date(now.getTime() + 61_000);
    expect(await ask(scene, {}, new Date(now.getTime() + 59_000))).toMatchObject({ isHeld: true });
    await inTransaction(cast.alice, (db) =>
      db.attempt.updateMany({
        where: { id: spec.attemptId },
        data: { leaseExpiresAt: new Date(now.getTime() + 120_000) },
      }),
    );
    expect(await ask(scene, {}, parked)).toMatchObject({ isHeld: false });
    await endForApproval(scene, parked);
    expect(await chainOf(scene)).toMatchObject({ status: 'waiting', waitReason: 'approval' });
    const later = new Date(now.getTime() + HOUR);
    expect(await refusalOfNextClaim(cast, later)).toBe('held_back');
    await decide(cast.alice, cast, 'approve', later, 'Go ahead.');
    await recordHeartbeat(
      cast.runner,
      { protocol: 1, capabilities: TEST_CAPABILITIES, running: [] },
      later,
    );
    const next = await claimNext(cast.runner, later);
    expect(next.start.continuation).toMatchObject({
      mode: 'resume',
      parentCliSessionId: spec.start.cliSessionId,
    });
    expect(next.start.prompt).toContain(
      '- Approved: `docker restart web` in /project. They wrote: "Go ahead."',
    );
    const continued = { cast, spec: next };
    expect(await ask(continued, { number: 1, digest: 'b'.repeat(64) }, later)).toMatchObject({
      verdict: 'waiting',
    });
    expect(await ask(continued, { number: 2 }, later)).toEqual({ verdict: 'allowed' });
    expect(await ask(continued, { number: 3 }, later)).toMatchObject({ verdict: 'waiting' });
    await play(cast.runner, next, { report: {} }, later);
    expect(await chainOf(scene)).toMatchObject({ status: 'ended' });
  });

  it('continues with the reason after a refusal, which it doesn’t get around', async () => {
    const scene = await tierTwoRuns(CONTINUES);
    const { cast, now } = scene;
    await ask(scene, {}, now);
    await endForApproval(scene, now);
    await decide(cast.alice, cast, 'refuse', now, 'A backup runs.');
    const next = await claimNext(cast.runner, now);
    expect(next.start.prompt).toContain(
      '- Refused, and not run: `docker restart web` in /project. They wrote: "A backup runs."',
    );
    expect(await ask({ cast, spec: next }, { number: 1 }, now)).toMatchObject({
      verdict: 'refused',
      code: 'approval_refused',
      message: expect.stringContaining('A backup runs'),
    });
  });

  it('[HLD-4.3] needs a human after a refusal, where nothing else is configured', async () => {
    const scene = await tierTwoRuns();
    const { cast, now } = scene;
    await ask(scene, {}, now);
    await endForApproval(scene, now);
    await decide(cast.alice, cast, 'refuse', now);
    expect(await refusalOfNextClaim(cast, now)).toBe('held_back');
    expect(await chainOf(scene)).toMatchObject(needsHuman('APPROVAL_REFUSED'));
  });

  it('needs a human after a refusal while its process waits, where that is configured', async () => {
    const scene = await tierTwoRuns({ approvals: { ...DEFAULT_APPROVALS, onRefusal: 'end' } });
    const { cast, now } = scene;
    await ask(scene, {}, now);
    await decide(cast.alice, cast, 'refuse', now);
    expect(await ask(scene, {}, now)).toMatchObject({ verdict: 'waiting', isHeld: false });
    await endForApproval(scene, now, [notRun(1, 'approval_pending')]);
    expect(await chainOf(scene)).toMatchObject(needsHuman('APPROVAL_REFUSED'));
  });

  it.each<[string, Played]>([
    ['finished', { report: {} }],
    ['requests the next tier', { report: wantsHelp() }],
    ['failed', { isSilent: true, result: { exit: { code: 1, signal: null } } }],
  ])(
    'needs a human after a refusal of a command in the background of an agent that %s, where that is configured',
    async (_what, played) => {
      const scene = await tierTwoRuns({
        approvals: { ...DEFAULT_APPROVALS, onRefusal: 'end' },
        maxTier: 3,
        tiers: [ONE, { ...TWO, isEnabled: true }, { ...THREE, isEnabled: true }],
      });
      const { cast, spec, now } = scene;
      await ask(scene, {}, now);
      await decide(cast.alice, cast, 'refuse', now, 'A backup runs.');
      await play(cast.runner, spec, played, now);
      expect(await chainOf(scene)).toMatchObject({
        ...needsHuman('APPROVAL_REFUSED'),
        statusText: expect.stringContaining('A backup runs'),
        servicesAffected: ['web'],
      });
      expect(await liveSessions(cast)).toBe(0);
    },
  );

  it('continues after a refusal of a command in the background, where that is configured', async () => {
    const scene = await tierTwoRuns(CONTINUES);
    const { cast, spec, now } = scene;
    await ask(scene, {}, now);
    await decide(cast.alice, cast, 'refuse', now);
    await play(cast.runner, spec, { report: {} }, now);
    expect(await chainOf(scene)).toMatchObject({ status: 'ended', outcome: 'healthy' });
  });

  it('needs a human after a lost agent was examined, where a refusal ends the chain', async () => {
    const scene = await tierTwoRuns({ approvals: { ...DEFAULT_APPROVALS, onRefusal: 'end' } });
    const { cast, spec, now } = scene;
    await ask(scene, {}, now);
    await decide(cast.alice, cast, 'refuse', now);
    const expired = new Date(now.getTime() + 61_000);
    await settleLostAttempt(scopeOfSystem(cast.alice.organizationId), spec.attemptId, expired);
    expect(await chainOf(scene)).toMatchObject({ status: 'waiting' });
    const examining = await claimNext(cast.runner, expired);
    expect(examining.start.purpose).toBe('reconcile');
    await play(cast.runner, examining, { report: {} }, expired);
    expect(await chainOf(scene)).toMatchObject(needsHuman('APPROVAL_REFUSED'));
  });

  it('needs a human after one of several commands was refused, without the other decisions', async () => {
    const scene = await tierTwoRuns({ approvals: { ...DEFAULT_APPROVALS, onRefusal: 'end' } });
    const { cast, now } = scene;
    await ask(scene, { number: 1 }, now);
    await ask(scene, { number: 2, line: 'docker restart db', digest: 'b'.repeat(64) }, now);
    await endForApproval(scene, now);
    const [first] = await approvalsOf(cast);
    await decideOne(cast, first, 'refuse', now);
    expect(await chainOf(scene)).toMatchObject({ status: 'waiting', waitReason: 'runner' });
    expect(await refusalOfNextClaim(cast, now)).toBe('held_back');
    expect(await chainOf(scene)).toMatchObject(needsHuman('APPROVAL_REFUSED'));
    const states = (await approvalsOf(cast)).map(({ status }) => status);
    expect(states).toEqual(['refused', 'withdrawn']);
  });

  it('runs what was approved although another was not decided in time', async () => {
    const scene = await tierTwoRuns();
    const { cast, now } = scene;
    await ask(scene, { number: 1 }, now);
    await ask(scene, { number: 2, line: 'docker restart db', digest: 'b'.repeat(64) }, now);
    await endForApproval(scene, now);
    const [first] = await approvalsOf(cast);
    await decideOne(cast, first, 'approve', now);
    const late = new Date(now.getTime() + 5 * HOUR);
    await expireApprovals(late);
    expect(await chainOf(scene)).toMatchObject({ status: 'waiting', waitReason: 'runner' });
    await recordHeartbeat(
      cast.runner,
      { protocol: 1, capabilities: TEST_CAPABILITIES, running: [] },
      late,
    );
    const next = { cast, spec: await claimNext(cast.runner, late) };
    expect(next.spec.start.prompt).toContain('- Approved: `docker restart web`');
    expect(next.spec.start.prompt).toContain(
      '- Not decided in time, and not run: `docker restart db`',
    );
    expect(await ask(next, { number: 1 }, late)).toEqual({ verdict: 'allowed' });
  });

  it('keeps approvals that the conversation has not used before it waits again', async () => {
    const scene = await tierTwoRuns();
    const { cast, now } = scene;
    await ask(scene, { number: 1 }, now);
    await endForApproval(scene, now);
    await decide(cast.alice, cast, 'approve', now);
    const second = { cast, spec: await claimNext(cast.runner, now) };
    await ask(second, { number: 1, line: 'docker restart db', digest: 'b'.repeat(64) }, now);
    await endForApproval(second, now);
    await decide(cast.alice, cast, 'approve', now);
    const third = { cast, spec: await claimNext(cast.runner, now) };
    expect(third.spec.start.prompt).toContain('- Approved: `docker restart web`');
    expect(third.spec.start.prompt).toContain('- Approved: `docker restart db`');
    expect(await ask(third, { number: 1 }, now)).toEqual({ verdict: 'allowed' });
    expect(
      await ask(third, { number: 2, digest: 'b'.repeat(64), line: 'docker restart db' }, now),
    ).toEqual({ verdict: 'allowed' });
  });

  it('needs a human once nobody has decided in time', async () => {
    const scene = await tierTwoRuns();
    const { cast, now } = scene;
    await ask(scene, {}, now);
    await endForApproval(scene, now);
    expect(await expireApprovals(new Date(now.getTime() + HOUR))).toBe(0);
    const late = new Date(now.getTime() + 5 * HOUR);
    expect(await refusalOf(decide(cast.alice, cast, 'approve', late))).toBe('conflict');
    await expireApprovals(late);
    expect((await onlyApproval(cast)).status).toBe('expired');
    expect(await chainOf(scene)).toMatchObject(needsHuman('APPROVAL_EXPIRED'));
  });

  it('waits for the decisions about all of its commands', async () => {
    const scene = await tierTwoRuns(CONTINUES);
    const { cast, now } = scene;
    await ask(scene, { number: 1 }, now);
    await ask(scene, { number: 2, line: 'docker restart db', digest: 'b'.repeat(64) }, now);
    await endForApproval(scene, now);
    const [first, second] = await approvalsOf(cast);
    await decideOne(cast, first, 'approve', now);
    expect(await refusalOfNextClaim(cast, now)).toBe('held_back');
    await decideOne(cast, second, 'refuse', now);
    const next = await claimNext(cast.runner, now);
    expect(next.start.prompt).toContain('- Approved: `docker restart web`');
    expect(next.start.prompt).toContain('- Refused, and not run: `docker restart db`');
  });

  it('was decided while the process ended: its conversation continues at once', async () => {
    const scene = await tierTwoRuns();
    const { cast, now } = scene;
    await ask(scene, {}, now);
    await decide(cast.alice, cast, 'approve', now);
    await endForApproval(scene, now);
    const next = await claimNext(cast.runner, now);
    expect(await ask({ cast, spec: next }, { number: 1 }, now)).toEqual({ verdict: 'allowed' });
  });

  it('is decided in the moment in which its process ends: what continues it is woken, not what has ended', async () => {
    const scene = await tierTwoRuns();
    const { cast, spec, now } = scene;
    await ask(scene, {}, now);
    const { id } = await onlyApproval(cast);
    const result = { stopCause: 'approval', exit: { code: 143, signal: null } } as const;
    const events = eventsOf(spec, { isSilent: true });
    await send(cast.runner, spec, events, now);
    const ended = resultOf(spec, events.length, { result }, now);
    await recordResult(cast.runner, spec.attemptId, ended, now);
    const holder = new pg.Client({ connectionString: database.superuserUrl });
    await holder.connect();
    try {
      // The settlement waits for the attempt first, then the decision, which has seen it live.
      await holder.query('begin');
      await holder.query('select 1 from attempt where id = $1 for update', [spec.attemptId]);
      const settled = settleAttempt(scopeOfSystem(cast.alice.organizationId), spec.attemptId, now);
      await untilBlocked(holder, 1);
      const decided = decide(cast.alice, cast, 'approve', now);
      await untilBlocked(holder, 2);
      await holder.query('rollback');
      await Promise.all([settled, decided]);
    } finally {
      await holder.end();
    }
    expect(await chainOf(scene)).toMatchObject({ status: 'waiting', waitReason: 'runner' });
    const next = await claimNext(cast.runner, now);
    expect(await onlyApproval(cast)).toMatchObject({ id, granteeId: next.attemptId });
    expect(await ask({ cast, spec: next }, { number: 1 }, now)).toEqual({ verdict: 'allowed' });
  });

  it('is over when its chain is stopped, and can’t be decided then', async () => {
    const scene = await tierTwoRuns();
    const { cast, chainId, now } = scene;
    await ask(scene, {}, now);
    await endForApproval(scene, now);
    const { id, digest } = await onlyApproval(cast);
    await stopChain(cast.alice, chainId, now);
    expect((await onlyApproval(cast)).status).toBe('withdrawn');
    const late = decideApproval(
      cast.alice,
      encodeId('apr', id),
      { verdict: 'approve', digest, note: '' },
      now,
    );
    expect(await refusalOf(late)).toBe('conflict');
    expect(await chainOf(scene)).toMatchObject({ status: 'ended', outcome: 'stopped' });
  });
});

describe('[BND-4.1] the start of a tier that needs approval', () => {
  const tiers: ProjectConfig['tiers'] = [
    ONE,
    { ...TWO, isEnabled: true, requiresApproval: true },
    { ...THREE, isEnabled: true },
  ];

  async function tierTwoIsDue(): Promise<Omit<Scene, 'spec'>> {
    const now = new Date();
    const cast = await makeCast({ tiers }, now);
    const chainId = await startOne(cast, now);
    await inTransaction(cast.alice, (db) =>
      db.chain.updateMany({ where: { id: chainId }, data: { requestedPerson: null } }),
    );
    await play(cast.runner, await claimNext(cast.runner, now), { report: wantsHelp() }, now);
    expect(await refusalOfNextClaim(cast, now)).toBe('held_back');
    return { cast, chainId, now };
  }

  it('is required by the settings of the moment, too: one that was switched on while the chain runs counts', async () => {
    const now = new Date();
    const isEnabled = true;
    const cast = await makeCast({ tiers: [ONE, { ...TWO, isEnabled }, THREE] }, now);
    await startOne(cast, now);
    await play(cast.runner, await claimNext(cast.runner, now), { report: wantsHelp() }, now);
    await saveConfig(cast, { tiers });
    expect(await refusalOfNextClaim(cast, now)).toBe('held_back');
    expect(await onlyApproval(cast)).toMatchObject({ kind: 'tier', tier: 2, status: 'pending' });
  });

  it('is required by the settings that the chain began with, too', async () => {
    const { cast, now } = await tierTwoIsDue();
    await saveConfig(cast, { tiers: [ONE, { ...TWO, isEnabled: true }, THREE] });
    expect(await refusalOfNextClaim(cast, now)).toBe('held_back');
  });

  it('waits for it, and resumes the conversation before it', async () => {
    const { cast, chainId, now } = await tierTwoIsDue();
    expect(await onlyApproval(cast)).toMatchObject({
      kind: 'tier',
      tier: 2,
      argv: null,
      services: ['web'],
      reason: expect.stringContaining('web refuses connections'),
    });
    expect(await chainOf({ cast, chainId })).toMatchObject({
      status: 'waiting',
      waitReason: 'approval',
    });
    await decide(cast.alice, cast, 'approve', now);
    const spec = await claimNext(cast.runner, now);
    expect(spec.start).toMatchObject({ tier: 2, continuation: { mode: 'resume' } });
  });

  it('doesn’t happen after a refusal', async () => {
    const { cast, chainId, now } = await tierTwoIsDue();
    await decide(cast.alice, cast, 'refuse', now, 'Not at night.');
    expect(await refusalOfNextClaim(cast, now)).toBe('held_back');
    expect(await chainOf({ cast, chainId })).toMatchObject({
      outcome: 'needs_human',
      outcomeReason: 'APPROVAL_REFUSED',
      statusText: expect.stringContaining('Not at night'),
    });
  });

  it('doesn’t happen if nobody decides', async () => {
    const { cast, chainId, now } = await tierTwoIsDue();
    await expireApprovals(new Date(now.getTime() + 5 * HOUR));
    expect(await chainOf({ cast, chainId })).toMatchObject({
      outcome: 'needs_human',
      outcomeReason: 'APPROVAL_EXPIRED',
    });
  });

  it('isn’t decided by the person who started the chain', async () => {
    const now = new Date();
    const cast = await makeCast({ tiers }, now);
    const input = { projectId: cast.projectId, trigger: 'manual' as const, tier: 2 as const };
    await startChain(cast.alice, input, now);
    await refusalOf(claimAttempt(cast.runner, await nextAttemptId(cast.runner), now));
    expect(await refusalOf(decide(cast.alice, cast, 'approve', now))).toBe('forbidden');
    const bo = (await joined(cast.alice, 'operator')).scope;
    await decide(bo, cast, 'approve', now);
    expect((await claimNext(cast.runner, now)).start.tier).toBe(2);
  });

  /** Of the approvals, oldest first, with whether each is used. */
  const states = async (cast: Cast) =>
    (await approvalsOf(cast)).map(({ status, usedAt }) => [status, usedAt !== null]);

  const entriesOf = (cast: Cast, action: string) =>
    inTransaction(cast.alice, (db) =>
      db.auditLog.findMany({ where: { action }, select: { target: true, detail: true } }),
    );

  async function tierTwoStarts(): Promise<Scene> {
    const { cast, chainId, now } = await tierTwoIsDue();
    await decide(cast.alice, cast, 'approve', now);
    return { cast, chainId, now, spec: await claimNext(cast.runner, now) };
  }

  it('uses its approval, with an entry in the audit log', async () => {
    const { cast, now } = await tierTwoIsDue();
    await decide(cast.alice, cast, 'approve', now);
    expect(await states(cast)).toEqual([['approved', false]]);
    expect(await entriesOf(cast, 'approval.used')).toEqual([]);
    const { attemptId } = await claimNext(cast.runner, now);
    const { id, usedAt, granteeId } = await onlyApproval(cast);
    expect([usedAt, granteeId]).toEqual([now, attemptId]);
    const used = {
      target: encodeId('apr', id),
      detail: expect.objectContaining({ attempt: encodeId('att', attemptId) }),
    };
    expect(await entriesOf(cast, 'approval.used')).toEqual([used]);
    // The same answer again, for a claim whose answer was lost.
    const processId = '0b8c5f0e-6a3f-4a7e-9d2b-5d1c3e4f5a6b';
    await inTransaction(cast.alice, (db) =>
      db.attempt.updateMany({ where: { id: attemptId }, data: { claimedByProcess: processId } }),
    );
    await claimAttempt(cast.runner, attemptId, now, processId);
    expect(await entriesOf(cast, 'approval.used')).toEqual([used]);
  });

  it('is written in one transaction with the use of its approval and the entry about it', async () => {
    const { cast, spec } = await tierTwoStarts();
    const { id } = await onlyApproval(cast);
    const client = new pg.Client({ connectionString: database.superuserUrl });
    await client.connect();
    const { rows } = await client.query(
      `select (select xmin from attempt where id = $1 and status = 'claimed') as start,
        (select xmin from approval where id = $2 and used_at is not null) as use,
        (select xmin from audit_log where action = 'approval.used' and target = $3) as entry`,
      [spec.attemptId, id, encodeId('apr', id)],
    );
    await client.end();
    const { start, use, entry } = rows[0];
    expect(start).not.toBeNull();
    expect([use, entry]).toEqual([start, start]);
  });

  it('happens once, whoever claims it in the same moment', async () => {
    const { cast, now } = await tierTwoIsDue();
    await decide(cast.alice, cast, 'approve', now);
    const { id } = await onlyApproval(cast);
    const attempts = [
      '0b8c5f0e-6a3f-4a7e-9d2b-5d1c3e4f5a61',
      '0b8c5f0e-6a3f-4a7e-9d2b-5d1c3e4f5a62',
    ];
    const starts = await Promise.allSettled(
      attempts.map((attemptId) =>
        inTransaction(cast.alice, (db) =>
          markUsedByStart(db, { id: attemptId, projectId: cast.projectId }, id, now),
        ),
      ),
    );
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { granteeId } = await onlyApproval(cast);
    expect(attempts).toContain(granteeId);
    // Its own attempt can’t start under it now.
    expect(await refusalOfNextClaim(cast, now)).toBe('held_back');
  });

  it('can’t be approved, refused or repeated by deciding again once it has happened', async () => {
    const { cast, now } = await tierTwoStarts();
    const { id, digest } = await onlyApproval(cast);
    const again = { verdict: 'approve', digest, note: '' } as const;
    const late = decideApproval(cast.alice, encodeId('apr', id), again, now);
    expect(await refusalOf(late)).toBe('conflict');
  });

  it('of the next tier needs an approval of its own', async () => {
    const now = new Date();
    const each = { isEnabled: true, requiresApproval: true };
    const cast = await makeCast({ tiers: [ONE, { ...TWO, ...each }, { ...THREE, ...each }] }, now);
    const chainId = await startOne(cast, now);
    await inTransaction(cast.alice, (db) =>
      db.chain.updateMany({ where: { id: chainId }, data: { requestedPerson: null } }),
    );
    await play(cast.runner, await claimNext(cast.runner, now), { report: wantsHelp() }, now);
    await refusalOfNextClaim(cast, now);
    await decide(cast.alice, cast, 'approve', now);
    await play(cast.runner, await claimNext(cast.runner, now), { report: wantsHelp() }, now);
    expect(await refusalOfNextClaim(cast, now)).toBe('held_back');
    expect(await states(cast)).toEqual([
      ['approved', true],
      ['pending', false],
    ]);
    await decide(cast.alice, cast, 'approve', now);
    expect((await claimNext(cast.runner, now)).start.tier).toBe(3);
    expect(await states(cast)).toEqual([
      ['approved', true],
      ['approved', true],
    ]);
  });

  it('in which no work began returns its approval, and the one after it uses it', async () => {
    const { cast, spec, now } = await tierTwoStarts();
    const result = {
      exit: { code: 1, signal: null },
      stderrTail: 'No conversation found with session ID: 0',
      transcriptSeen: false,
    };
    await play(cast.runner, spec, { isSilent: true, result }, now);
    expect(await states(cast)).toEqual([['approved', false]]);
    expect(await entriesOf(cast, 'approval.returned')).toEqual([
      {
        target: encodeId('apr', (await onlyApproval(cast)).id),
        detail: expect.objectContaining({ attempt: encodeId('att', spec.attemptId) }),
      },
    ]);
    const next = await claimNext(cast.runner, now);
    expect(next.start).toMatchObject({ tier: 2, continuation: { mode: 'handoff' } });
    expect(await onlyApproval(cast)).toMatchObject({ usedAt: now, granteeId: next.attemptId });
    expect(await entriesOf(cast, 'approval.used')).toHaveLength(2);
  });

  it('in which work began keeps its approval used, even if its CLI says that it continued nothing', async () => {
    const { cast, spec, now } = await tierTwoStarts();
    await send(cast.runner, spec, command('systemctl restart web'), now);
    const result = {
      exit: { code: 1, signal: null },
      stderrTail: 'No conversation found with session ID: 0',
      transcriptSeen: false,
    };
    await play(cast.runner, spec, { isSilent: true, result }, now);
    expect(await states(cast)).toEqual([['approved', true]]);
    expect(await entriesOf(cast, 'approval.returned')).toEqual([]);
  });

  it.each([
    { what: 'starts again', calls: [], refusal: 'held_back', left: ['pending', false] },
    {
      what: 'is looked at',
      calls: command('systemctl restart web'),
      refusal: 'none',
      left: null,
    },
  ])(
    'isn’t repeated under a used approval where its conversation is lost and the tier $what',
    async ({ calls, refusal, left }) => {
      const { cast, spec, now } = await tierTwoStarts();
      const result = { stopCause: 'stalled', exit: { code: 0, signal: null } } as const;
      await play(cast.runner, spec, { isSilent: true, events: calls, result }, now);
      const other = await secondRunner(cast);
      const id = await nextAttemptId(other);
      await inTransaction(cast.alice, (db) =>
        db.attempt.updateMany({
          where: { id },
          data: { requiredRunnerId: null, waitUntil: new Date(0) },
        }),
      );
      expect(await refusalOf(claimAttempt(other, id, now))).toBe(refusal);
      expect(await states(cast)).toEqual([['approved', true], ...(left ? [left] : [])]);
    },
  );
});
