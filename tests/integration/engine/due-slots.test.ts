/** Due slots, including the wake-up jobs that lib/platform/queue enqueues for them on either backend. */

import { afterEach, describe, expect, it } from 'vitest';
import { DUE_BATCH, startChain, startDueChains } from '@/lib/engine/chains/start-chain';
import { stopChain } from '@/lib/engine/chains/stop-chain';
import { enqueueWaiting } from '@/lib/engine/sweep/sweep';
import { poolQueue } from '@/lib/fleet/queues';
import { pauseOrganization, resumeOrganization } from '@/lib/identity/organizations/service';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ConflictError } from '@/lib/platform/errors';
import { pauseProject } from '@/lib/projects/pauses';
import type { ProjectConfig } from '@/lib/projects/schema';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext, play } from '@/tests/support/cast/scripted-attempt';
import { runUntilKilled } from '@/tests/support/crash/crashing-process';
import { useTestDatabase } from '@/tests/support/database';
import { listEnqueued } from './support/enqueued';
import {
  copyProject,
  readScheduled,
  setNextRun,
  stopSchedules,
} from './support/scheduled-projects';

const database = useTestDatabase();
const SLOT = new Date('2026-11-21T12:00:00Z');
const later = (seconds: number) => new Date(SLOT.getTime() + seconds * 1_000);
const every = (everySeconds: number): Partial<ProjectConfig> => ({
  schedule: { kind: 'interval', everySeconds, timeZone: 'UTC' },
});

/** A project that is due every 5 minutes, the next time at SLOT. */
async function scheduled(changes: Partial<ProjectConfig> = {}): Promise<Cast> {
  return makeCast({ ...every(300), ...changes }, later(-100));
}

/** Projects that are due, each of which must get exactly one chain. */
async function manyDue(count: number) {
  const cast = await scheduled();
  await setNextRun(cast.alice, cast.projectId, null);
  await copyProject(cast.alice, cast.projectId, count, SLOT);
  return cast;
}

async function expectOneEach(alice: TenantScope, count: number) {
  const { projects, chains, sessions, attempts } = await readScheduled(alice);
  const due = projects.filter((project) => project.slug.startsWith('copy-'));
  expect(due).toHaveLength(count);
  expect(chains.map((chain) => chain.projectId)).toEqual(due.map((project) => project.id));
  expect(chains.every((chain) => chain.number === 1 && chain.status === 'queued')).toBe(true);
  expect(chains.every((chain) => chain.slotAt?.getTime() === SLOT.getTime())).toBe(true);
  expect(new Set(sessions.map((session) => session.chainId)).size).toBe(count);
  expect(new Set(attempts.map((attempt) => attempt.sessionId)).size).toBe(count);
  expect([sessions.length, attempts.length]).toEqual([count, count]);
  expect(due.every((project) => project.lastChainNumber === 1)).toBe(true);
  expect(due.every((project) => project.nextRunAt?.getTime() === later(300).getTime())).toBe(true);
  return attempts;
}

async function expectRung(attempts: { id: string; poolId: string }[]) {
  const enqueued = await listEnqueued(database);
  const own = enqueued.filter(({ attemptId }) =>
    attempts.some((attempt) => attempt.id === attemptId),
  );
  expect(own.map(({ attemptId }) => attemptId).sort()).toEqual(
    attempts.map((attempt) => attempt.id).sort(),
  );
  expect(new Set(own.map(({ queue }) => queue))).toEqual(
    new Set(attempts.map((attempt) => poolQueue(attempt.poolId))),
  );
}

describe('[FLT-6.2] many projects due at once', () => {
  /** More than two batches, so that those of one scheduler overlap as well. */
  const MANY = 2 * DUE_BATCH + 10;

  // Their next slots would come up in every test that follows.
  afterEach(() => stopSchedules(database));

  it('[SAS-3.2] two schedulers give each exactly one chain, session, attempt and job', async () => {
    const { alice } = await manyDue(MANY);
    const made = await Promise.all([startDueChains(later(1)), startDueChains(later(1))]);
    expect(made[0] + made[1]).toBe(MANY);
    const attempts = await expectOneEach(alice, MANY);
    // What a busy Redis didn't accept within its second is left to the sweep.
    while ((await enqueueWaiting(later(60))) > 0);
    await expectRung(attempts);
    expect(await startDueChains(later(2))).toBe(0);
  });

  it.each([
    ['after it made the chains', 30, 1],
    ['after it committed them and before it rang', 30, 2],
    ['in its second batch', MANY, 3],
    ['while two batches are under way', MANY, 4],
    ['after one of them was committed', MANY, 5],
  ])(
    '[SAS-3.2] a scheduler killed %s loses and doubles nothing',
    async (_name, count, freezeAfter) => {
      const { alice } = await manyDue(count);
      const now = later(1).toISOString();
      const cutOff = await runUntilKilled(database, { kind: 'start_due', now, freezeAfter });
      expect([...cutOff]).toEqual(['system']);
      await startDueChains(later(2));
      const attempts = await expectOneEach(alice, count);
      while ((await enqueueWaiting(later(60))) > 0);
      await expectRung(attempts);
    },
  );
});

describe('a slot', () => {
  it('[SAS-3.2] of a project whose chain still runs is a row that names the chain in the way', async () => {
    const cast = await scheduled();
    await startDueChains(SLOT);
    await startDueChains(later(300));
    const { chains, sessions } = await readScheduled(cast.alice);
    expect(chains.map((chain) => [chain.number, chain.status, chain.outcome])).toEqual([
      [1, 'queued', null],
      [2, 'ended', 'skipped'],
    ]);
    expect(chains[1]?.statusText).toBe(
      'Skipped at 12:05 UTC: Chain #1 is still running. Wait for it, or stop it.',
    );
    expect(sessions).toHaveLength(1);
  });

  it('[SAS-3.2] gets no second chain, and no number is spent, when it comes up again', async () => {
    const cast = await scheduled();
    await startDueChains(SLOT);
    await play(cast.runner, await claimNext(cast.runner, later(1)), {}, later(2));
    await setNextRun(cast.alice, cast.projectId, SLOT);
    expect(await startDueChains(later(3))).toBe(0);
    await startDueChains(later(300));
    const { chains, projects } = await readScheduled(cast.alice);
    expect(chains.map((chain) => chain.number)).toEqual([1, 2]);
    expect(projects[0]).toMatchObject({ lastChainNumber: 2, lastSessionNumber: 2 });
  });

  it('of a paused project, or in a paused organization, makes no row; the schedule continues', async () => {
    const cast = await scheduled();
    await pauseProject(cast.alice, cast.projectSlug, { reason: 'maintenance' });
    await startDueChains(SLOT);
    const other = await scheduled();
    await pauseOrganization(other.alice, { reason: 'moving' });
    await startDueChains(SLOT);
    for (const { alice } of [cast, other]) {
      const { chains, events, projects } = await readScheduled(alice);
      expect([chains, events]).toEqual([[], []]);
      expect(projects[0]?.nextRunAt).toEqual(later(300));
    }
    await resumeOrganization(other.alice);
    await startDueChains(later(300));
    expect((await readScheduled(other.alice)).chains.map((chain) => chain.slotAt)).toEqual([
      later(300),
    ]);
  });

  it('[SAS-3.2] after a downtime only the newest one runs, and one event names the rest', async () => {
    const cast = await scheduled();
    await startDueChains(later(1_000));
    const { chains, events, projects } = await readScheduled(cast.alice);
    expect(chains.map((chain) => [chain.number, chain.slotAt])).toEqual([[1, later(900)]]);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ code: 'SLOTS_MISSED', level: 'warning' });
    expect(events[0]?.message).toContain(
      '3 scheduled chains between 2026-11-21T12:00:00.000Z and 2026-11-21T12:10:00.000Z',
    );
    expect(projects[0]?.nextRunAt).toEqual(later(1_200));
  });

  it.each([
    ['day', { chainUsd: null, dayUsd: 0.5, monthUsd: null }, "reached today's budget"],
    ['month', { chainUsd: null, dayUsd: null, monthUsd: 0.5 }, "reached this month's budget"],
  ])(
    'of a project whose %s budget is used up is skipped with that reason',
    async (_name, budgets, words) => {
      const cast = await scheduled({ budgets });
      await startDueChains(SLOT);
      await play(cast.runner, await claimNext(cast.runner, later(1)), { costUsd: 0.5 }, later(2));
      await startDueChains(later(300));
      const { chains } = await readScheduled(cast.alice);
      expect(chains[1]).toMatchObject({ number: 2, outcome: 'skipped' });
      expect(chains[1]?.statusText).toContain(words);
    },
  );

  it('without a pool of that name is skipped with that reason', async () => {
    const cast = await scheduled({ runnerPool: 'default' });
    await inTransaction(cast.alice, (db) =>
      db.runnerPool.updateMany({ data: { name: 'renamed' } }),
    );
    await startDueChains(SLOT);
    const { chains } = await readScheduled(cast.alice);
    expect(chains[0]?.statusText).toBe(
      'Skipped at 12:00 UTC: there is no runner pool named default. Add a runner to it, or choose another pool.',
    );
  });

  it('of a cron schedule is followed by the next one in its own time zone', async () => {
    const schedule = { kind: 'cron' as const, expression: '30 9 * * *', timeZone: 'Europe/Berlin' };
    const cast = await makeCast({ schedule }, new Date('2026-03-28T00:00:00Z'));
    await startDueChains(new Date('2026-03-28T08:30:00Z'));
    const { chains, projects } = await readScheduled(cast.alice);
    expect(chains.map((chain) => chain.slotAt)).toEqual([new Date('2026-03-28T08:30:00Z')]);
    // Clocks go forward that night, so half past nine comes an hour earlier in UTC.
    expect(projects[0]?.nextRunAt).toEqual(new Date('2026-03-29T07:30:00Z'));
  });
});

describe('one live chain a project', () => {
  it('[SAS-3.2] is held by the database itself', async () => {
    const cast = await scheduled();
    await startDueChains(SLOT);
    const { organizationId } = cast.alice;
    const second = inTransaction(cast.alice, (db) =>
      db.chain.create({
        data: {
          organizationId,
          projectId: cast.projectId,
          number: 99,
          trigger: 'api',
          projectVersion: 1,
        },
      }),
    );
    await expect(second).rejects.toThrow(/Unique constraint/);
  });

  it('[SAS-3.2] of many manual starts at once one wins, and the others learn which one runs', async () => {
    const cast = await makeCast();
    const input = { projectId: cast.projectId, trigger: 'manual' as const };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => startChain(cast.alice, input)),
    );
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    );
    expect(refused).toHaveLength(7);
    expect(refused.every((error) => error instanceof ConflictError)).toBe(true);
    expect(String(refused[0])).toContain('Chain #1 is still running');
    expect((await readScheduled(cast.alice)).chains.map((chain) => chain.number)).toEqual([1]);
  });

  it('[SAS-3.2] a manual start and the slot of the same moment never fail each other', async () => {
    const casts: Cast[] = [];
    for (let count = 0; count < 6; count += 1) casts.push(await scheduled());
    const hand = casts.map(({ alice, projectId }) =>
      startChain(alice, { projectId, trigger: 'manual' }, SLOT).then(
        () => null,
        (error: unknown) => error,
      ),
    );
    await startDueChains(SLOT);
    const errors = (await Promise.all(hand)).filter((error) => error !== null);
    expect(errors.every((error) => error instanceof ConflictError)).toBe(true);
    await startDueChains(later(1));
    for (const { alice } of casts) {
      const { chains } = await readScheduled(alice);
      expect(chains.filter((chain) => chain.status !== 'ended')).toHaveLength(1);
      expect(chains.map((chain) => chain.number)).toEqual(chains.map((_, index) => index + 1));
      expect(chains.filter((chain) => chain.slotAt !== null)).toHaveLength(1);
    }
  });

  it('a stopped chain frees the next slot', async () => {
    const cast = await scheduled();
    await startDueChains(SLOT);
    const { chains } = await readScheduled(cast.alice);
    await stopChain(cast.alice, chains[0]?.id ?? '', later(10));
    await startDueChains(later(300));
    expect((await readScheduled(cast.alice)).chains.map((chain) => chain.outcome)).toEqual([
      'stopped',
      null,
    ]);
  });
});
