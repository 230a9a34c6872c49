/** Who may start what: one runner claims an attempt, and the gates are evaluated at the claim. The queue only wakes runners up. */

import { beforeEach, describe, expect, it } from 'vitest';
import { claimAttempt } from '@/lib/engine/claim';
import { recordHeartbeat } from '@/lib/engine/directives';
import { recordEvents } from '@/lib/engine/record-events';
import { settleLostAttempt } from '@/lib/engine/settle';
import { enqueueWaiting } from '@/lib/engine/sweep/sweep';
import { recordResult } from '@/lib/engine/take-result';
import { pauseOrganization, resumeOrganization } from '@/lib/identity/organizations/service';
import { scopeOfRunner, scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import { pauseProject, resumeProject } from '@/lib/projects/pauses';
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
import { listEnqueued } from './support/enqueued';
import { refusalOf, saveConfig, send, startOne } from './support/running';

const database = useTestDatabase();
let cast: Cast;
let chainId: string;

beforeEach(async () => {
  cast = await makeCast();
  chainId = await startOne(cast);
});

const secondRunner = async (name = 'runner-2', tiers?: number[]) =>
  scopeOfRunner(await enrolTestRunner(cast.alice, name, tiers));

describe('an attempt that waits', () => {
  it('[SAS-3.2] is started by one of two runners that ask at once', async () => {
    const runners = [cast.runner, await secondRunner()];
    const attemptId = await nextAttemptId(cast.runner);
    const outcomes = await Promise.all(
      runners.map((runner) => refusalOf(claimAttempt(runner, attemptId))),
    );
    expect(outcomes.sort()).toEqual(['none', 'not_queued']);
    const { attempts, decisions } = await readChain(cast.alice, chainId);
    expect(attempts).toHaveLength(1);
    expect(attempts[0]).toMatchObject({ status: 'claimed', fence: 1 });
    expect(decisions).toHaveLength(1);
  });

  it('[SAS-3.2] is given to its runner again until it has begun, since the answer may be lost', async () => {
    const attemptId = await nextAttemptId(cast.runner);
    const first = await claimAttempt(cast.runner, attemptId);
    expect(await claimAttempt(cast.runner, attemptId)).toEqual(first);
    expect(await refusalOf(claimAttempt(await secondRunner(), attemptId))).toBe('not_queued');
    const { attempts, decisions } = await readChain(cast.alice, chainId);
    expect(attempts[0]).toMatchObject({ status: 'claimed', fence: 1 });
    expect(decisions).toHaveLength(1);
    await send(cast.runner, first, eventsOf(first, {}).slice(0, 1));
    expect(await refusalOf(claimAttempt(cast.runner, attemptId))).toBe('not_queued');
  });

  it('[SAS-1.3] does not exist for a runner of another organization', async () => {
    const stranger = await makeCast();
    const attemptId = await nextAttemptId(cast.runner);
    expect(await refusalOf(claimAttempt(stranger.runner, attemptId))).toBe('not_found');
    await claimAttempt(cast.runner, attemptId);
  });

  it('is not started by a runner of another pool, nor where its tier is not allowed', async () => {
    const attemptId = await nextAttemptId(cast.runner);
    const elsewhere = await secondRunner('runner-2');
    await inTransaction(cast.alice, async (db) => {
      const { organizationId } = cast.alice;
      const pool = await db.runnerPool.create({ data: { organizationId, name: 'other' } });
      await db.runner.updateMany({ where: { id: elsewhere.actor.id }, data: { poolId: pool.id } });
    });
    expect(await refusalOf(claimAttempt(elsewhere, attemptId))).toBe('not_this_runner');
    const observer = await secondRunner('runner-3', [2, 3]);
    expect(await refusalOf(claimAttempt(observer, attemptId))).toBe('tier_not_allowed');
    const draining = await secondRunner('runner-4');
    await inTransaction(cast.alice, (db) =>
      db.runner.updateMany({ where: { id: draining.actor.id }, data: { drainingAt: new Date() } }),
    );
    expect(await refusalOf(claimAttempt(draining, attemptId))).toBe('not_this_runner');
    await claimAttempt(cast.runner, attemptId);
  });

  it('is started from what holds now: a deny added meanwhile is refused too', async () => {
    const [one, two, three] = DEFAULT_TIERS;
    const denied = { ...one, disallowedTools: ['Bash(rm:*)', 'WebFetch'] };
    await saveConfig(cast, {
      tiers: [denied, { ...two, isEnabled: true }, { ...three, isEnabled: true }],
    });
    const spec = await claimNext(cast.runner);
    expect(spec.start.disallowedRules).toEqual(
      expect.arrayContaining(['Bash(rm:*)', 'WebFetch', ...one.disallowedTools]),
    );
  });
});

describe('what a runner sends about an attempt of another one', () => {
  it('[SAS-1.3] [SAS-3.1] is refused, and stops what it believes to run', async () => {
    const other = await secondRunner();
    const stranger = (await makeCast()).runner;
    const spec = await claimNext(cast.runner);
    const events = eventsOf(spec, {}).map((event, index) => ({
      seq: index + 1,
      at: new Date().toISOString(),
      event,
    }));
    for (const runner of [other, stranger]) {
      const batch = { attemptId: spec.attemptId, fence: spec.fence, events };
      expect(await recordEvents(runner, [batch])).toEqual({
        acknowledged: [],
        directives: [{ kind: 'stop', attemptId: spec.attemptId, reason: 'fenced' }],
      });
      const result = resultOf(spec, 0, {}, new Date());
      expect(await refusalOf(recordResult(runner, spec.attemptId, result))).toBe('not_found');
    }
    const stored = await inTransaction(cast.alice, (db) =>
      db.sessionEvent.count({ where: { attemptId: spec.attemptId } }),
    );
    expect(stored).toBe(0);
  });

  it('[SAS-3.3] an older fencing number stores the events as late ones and stops the run', async () => {
    const spec = await claimNext(cast.runner);
    await inTransaction(cast.alice, (db) =>
      db.attempt.updateMany({ where: { id: spec.attemptId }, data: { fence: spec.fence + 1 } }),
    );
    const response = await send(cast.runner, spec, eventsOf(spec, {}));
    expect(response.directives).toEqual([
      { kind: 'stop', attemptId: spec.attemptId, reason: 'fenced' },
    ]);
    const events = await inTransaction(cast.alice, (db) =>
      db.sessionEvent.findMany({ where: { attemptId: spec.attemptId } }),
    );
    expect(events.length).toBeGreaterThan(0);
    expect(events.every((event) => event.isLate)).toBe(true);
  });
});

describe('a lease', () => {
  const NOW = new Date('2026-11-21T12:00:00Z');
  const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
  const beat = (spec: AttemptSpec, fence: number, at: Date) =>
    recordHeartbeat(
      cast.runner,
      {
        protocol: 1,
        capabilities: TEST_CAPABILITIES,
        running: [{ attemptId: spec.attemptId, fence }],
      },
      at,
    );
  const leaseOf = async () => (await readChain(cast.alice, chainId)).attempts[0]?.leaseExpiresAt;

  it('[SAS-3.3] is renewed by a heartbeat under the current fencing number alone', async () => {
    const spec = await claimNext(cast.runner, NOW);
    expect(await leaseOf()).toEqual(later(60));
    await beat(spec, spec.fence, later(15));
    expect(await leaseOf()).toEqual(later(75));
    await inTransaction(cast.alice, (db) =>
      db.attempt.updateMany({ where: { id: spec.attemptId }, data: { fence: spec.fence + 1 } }),
    );
    await beat(spec, spec.fence, later(30));
    expect(await leaseOf()).toEqual(later(75));
  });

  it('[SAS-3.3] that a heartbeat renewed after the sweep saw it expired does not end the attempt', async () => {
    const spec = await claimNext(cast.runner, NOW);
    const expired = later(61);
    await beat(spec, spec.fence, later(60));
    // What the sweep does with an attempt of its list.
    await settleLostAttempt(scopeOfSystem(cast.alice.organizationId), spec.attemptId, expired);
    const { attempts } = await readChain(cast.alice, chainId);
    expect(attempts).toMatchObject([{ status: 'claimed', end: null, fence: spec.fence }]);
    await settleLostAttempt(scopeOfSystem(cast.alice.organizationId), spec.attemptId, later(121));
    const after = (await readChain(cast.alice, chainId)).attempts;
    expect(after.find(({ id }) => id === spec.attemptId)).toMatchObject({ end: 'lost' });
  });
});

describe('a pause between a start and its claim', () => {
  it.each([
    [
      'of the project',
      () => pauseProject(cast.alice, cast.projectSlug, { reason: 'deploying' }),
      () => resumeProject(cast.alice, cast.projectSlug),
      /^Checkout is paused by .+ Tier 1 starts once it is resumed\.$/,
    ],
    [
      'of the organization',
      () => pauseOrganization(cast.alice, { reason: 'moving' }),
      () => resumeOrganization(cast.alice),
      /^Acme .+ is paused by .+ Tier 1 starts once it is resumed\.$/,
    ],
  ])(
    '[HND-6.2] %s holds it back, says so once, and continues after it',
    async (_name, pause, resume, words) => {
      await pause();
      const attemptId = await nextAttemptId(cast.runner);
      expect(await refusalOf(claimAttempt(cast.runner, attemptId))).toBe('held_back');
      expect(await refusalOf(claimAttempt(cast.runner, attemptId))).toBe('held_back');
      const held = await readChain(cast.alice, chainId);
      expect(held.chain).toMatchObject({
        status: 'waiting',
        statusText: expect.stringMatching(words),
      });
      expect(held.events.map((event) => [event.code, event.sessionId])).toEqual([
        ['PAUSED', held.sessions[0]?.id],
      ]);
      await resume();
      await enqueueWaiting(new Date(Date.now() + 60_000));
      expect((await listEnqueued(database)).map((each) => each.attemptId)).toContain(attemptId);
      const spec = await claimAttempt(cast.runner, attemptId);
      expect(spec.start.tier).toBe(1);
      expect((await readChain(cast.alice, chainId)).chain.status).toBe('running');
    },
  );
});

describe('a tier that is no longer allowed when its turn comes', () => {
  const [one, two, three] = DEFAULT_TIERS;
  it.each([
    ['the maximum was lowered', { maxTier: 1 as const }, 'above the maximum'],
    [
      'it was switched off',
      {
        tiers: [one, { ...two, isEnabled: false }, three] as [typeof one, typeof two, typeof three],
      },
      'turned off for Checkout',
    ],
  ])('[HND-3.4] [HND-6.2] is refused with the reason: %s', async (_name, changes, words) => {
    await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp() });
    await saveConfig(cast, changes);
    const attemptId = await nextAttemptId(cast.runner);
    expect(await refusalOf(claimAttempt(cast.runner, attemptId))).toBe('held_back');
    const rows = await readChain(cast.alice, chainId);
    expect(rows.chain).toMatchObject({ status: 'ended', outcome: 'needs_human' });
    expect(rows.chain.statusText).toContain(words);
    expect(rows.sessions[1]).toMatchObject({ tier: 2, status: 'refused' });
    const said = rows.events.filter((each) => each.message === rows.chain.statusText);
    expect(said.map((event) => [event.level, event.sessionId])).toEqual([
      ['critical', rows.sessions[1]?.id],
    ]);
    expect(rows.attempts.every((attempt) => attempt.status === 'ended')).toBe(true);
  });
});
