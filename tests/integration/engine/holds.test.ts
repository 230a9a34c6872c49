/** What people say that holds chains back: who, when, why, until when; obeyed before the next start. */

import { beforeEach, describe, expect, it } from 'vitest';
import { acknowledgeChain, endAcknowledgement } from '@/lib/engine/chains/acknowledge-chain';
import { startChain, startDueChains } from '@/lib/engine/chains/start-chain';
import { claimAttempt } from '@/lib/engine/claim';
import { getRunner } from '@/lib/fleet/manage-runners';
import { endRunnerPause, pauseRunner } from '@/lib/fleet/runner-pauses';
import { pauseOrganization } from '@/lib/identity/organizations/service';
import { advanceIncidents } from '@/lib/incidents/sweep';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import type { MaintenanceWindow } from '@/lib/projects/maintenance/schema';
import { getProject } from '@/lib/projects/manage-project';
import { pauseProject, pauseTier, resumeTier, snoozeService } from '@/lib/projects/pauses';
import type { RunnerEvent } from '@/lib/protocol/events';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import { claimNext, nextAttemptId, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { endPauses } from '@/workers/maintenance';
import { refusalOf, saveConfig, startOne } from './support/running';

useTestDatabase();

const HOUR_MS = 3_600_000;
let cast: Cast;
let now: Date;
const inMs = (ms: number) => new Date(now.getTime() + ms);

beforeEach(async () => {
  cast = await makeCast();
  now = new Date();
});

/** The newest audit entries, oldest first. */
async function audited(count: number) {
  const rows = await inTransaction(cast.alice, (db) =>
    db.auditLog.findMany({ orderBy: { seq: 'desc' }, take: count }),
  );
  return rows.reverse().map(({ action, detail }) => ({ action, ...(detail as object) }));
}

/** A chain that went to tier 1 and says that web is down; tier 2 is queued if nothing holds it. */
async function askForTier2(): Promise<string> {
  const chainId = await startOne(cast);
  await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp() });
  return chainId;
}

const checked = (status: 'healthy' | 'down'): RunnerEvent => ({
  kind: 'check_result',
  service: 'web',
  type: 'http',
  target: 'http://x',
  error: '',
  responseTimeMs: 1,
  status,
});

describe('a pause', () => {
  it('[SAS-4.3] of a tier keeps chains from it, and says who, when, why and until when', async () => {
    const about = { project: cast.projectSlug, tier: 2 } as const;
    const pause = { reason: 'new credentials', endsAt: inMs(HOUR_MS) };
    await pauseTier(cast.alice, about, pause, now);
    await pauseTier(cast.alice, about, { reason: 'again' }, now);
    const { tierPauses } = await getProject(cast.alice, cast.projectSlug);
    expect(tierPauses).toEqual([
      {
        tier: 2,
        by: cast.alice.actor.label,
        reason: 'new credentials',
        at: now.toISOString(),
        endsAt: inMs(HOUR_MS).toISOString(),
      },
    ]);
    const chainId = await askForTier2();
    const { chain, sessions } = await readChain(cast.alice, chainId);
    expect(chain).toMatchObject({ outcome: 'suppressed', outcomeReason: 'PAUSED' });
    expect(chain.statusText).toContain('tier 2 of Checkout is paused by');
    expect(sessions).toHaveLength(1);
    await resumeTier(cast.alice, about);
    expect(await audited(1)).toMatchObject([{ action: 'tier.resumed', tier: 2 }]);
    const next = await readChain(cast.alice, await askForTier2());
    expect(next.sessions.map((session) => session.tier)).toEqual([1, 2]);
  });

  it('[SAS-4.3] of a tier also holds back a session that was queued before', async () => {
    const chainId = await askForTier2();
    await pauseTier(cast.alice, { project: cast.projectSlug, tier: 2 }, { reason: '' });
    expect(await refusalOf(claimNext(cast.runner))).toBe('held_back');
    const { chain } = await readChain(cast.alice, chainId);
    expect(chain.status).toBe('waiting');
    expect(chain.statusText).toMatch(/^Tier 2 of Checkout is paused by .+ once it is resumed\.$/);
    await resumeTier(cast.alice, { project: cast.projectSlug, tier: 2 });
    expect((await claimNext(cast.runner)).start.tier).toBe(2);
  });

  it('[SAS-4.3] of tier 1 lets nothing start, manual or scheduled', async () => {
    await saveConfig(cast, { schedule: { kind: 'interval', everySeconds: 60, timeZone: 'UTC' } });
    await pauseTier(cast.alice, { project: cast.projectSlug, tier: 1 }, { reason: '' });
    await expect(startOne(cast)).rejects.toThrow(/^Tier 1 of Checkout is paused by .+ first\.$/);
    await startDueChains(inMs(HOUR_MS));
    expect(await inTransaction(cast.alice, (db) => db.chain.count())).toBe(0);
  });

  it('[SAS-4.3] of a runner gives it nothing until it is resumed', async () => {
    await startOne(cast);
    const runnerId = encodeId('rnr', cast.runner.actor.id);
    await pauseRunner(cast.alice, runnerId, { reason: 'disk check' }, now);
    const paused = await getRunner(cast.alice, runnerId);
    expect(paused).toMatchObject({
      status: 'paused',
      pause: { reason: 'disk check', endsAt: null },
    });
    expect(await refusalOf(claimNext(cast.runner))).toBe('not_this_runner');
    await endRunnerPause(cast.alice, runnerId);
    expect((await claimNext(cast.runner)).start.tier).toBe(1);
    expect((await audited(3)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['runner.paused', 'runner.resumed']),
    );
  });

  it('[SAS-4.3] expires, whatever it pauses, and the audit log says so', async () => {
    const pause = { reason: 'moving', endsAt: inMs(1_000) };
    const runnerId = encodeId('rnr', cast.runner.actor.id);
    await pauseOrganization(cast.alice, pause, now);
    await pauseProject(cast.alice, cast.projectSlug, pause, now);
    await pauseTier(cast.alice, { project: cast.projectSlug, tier: 3 }, pause, now);
    await pauseRunner(cast.alice, runnerId, pause, now);
    await endPauses(inMs(999));
    await expect(startOne(cast)).rejects.toThrow('is paused by');
    await endPauses(inMs(1_000));
    expect((await audited(4)).map(({ action }) => action).toSorted()).toEqual([
      'organization.resumed',
      'project.resumed',
      'runner.resumed',
      'tier.resumed',
    ]);
    await startOne(cast);
    expect((await claimNext(cast.runner)).start.tier).toBe(1);
    await endPauses(inMs(2_000));
    expect((await audited(1))[0]?.action).not.toMatch(/resumed/);
  });

  it('with an end that is over, or a year away, is refused', async () => {
    for (const endsAt of [now, inMs(400 * 24 * HOUR_MS)]) {
      const refused = pauseProject(cast.alice, cast.projectSlug, { reason: '', endsAt }, now);
      await expect(refused).rejects.toMatchObject({ fields: { endsAt: expect.any(String) } });
    }
  });
});

describe('a chain that somebody has in hand', () => {
  async function needsHuman(): Promise<string> {
    await saveConfig(cast, { maxTier: 1 });
    const chainId = await startOne(cast);
    await play(cast.runner, await claimNext(cast.runner), {
      report: wantsHelp(),
      events: [checked('down')],
    });
    await saveConfig(cast, {});
    return encodeId('chn', chainId);
  }

  it('[SAS-4.3] doesn’t escalate for its services until they have recovered', async () => {
    const chainId = await needsHuman();
    await acknowledgeChain(cast.alice, chainId, { note: 'on it' });
    const quiet = await readChain(cast.alice, await askForTier2());
    expect(quiet.chain).toMatchObject({ outcome: 'suppressed', outcomeReason: 'ACKNOWLEDGED' });
    expect(quiet.chain.statusText).toContain(
      `${cast.alice.actor.label} has acknowledged web since Chain #1`,
    );
    await startOne(cast);
    await play(cast.runner, await claimNext(cast.runner), { events: [checked('healthy')] });
    await advanceIncidents(inMs(HOUR_MS));
    const later = await readChain(cast.alice, await askForTier2());
    expect(later.sessions.map((session) => session.tier)).toEqual([1, 2]);
  });

  it('[SAS-4.3] is no longer so after its end, or when it is given back', async () => {
    const chainId = await needsHuman();
    const endsAt = inMs(HOUR_MS);
    await acknowledgeChain(cast.alice, chainId, { note: '', endsAt }, now);
    expect(await audited(2)).toMatchObject([
      { action: 'chain.acknowledged', endsAt: endsAt.toISOString() },
      { action: 'incident.acknowledged' },
    ]);
    const late = inMs(HOUR_MS + 1);
    // Its incident has a chain look again.
    await advanceIncidents(late);
    const { id: after } = await inTransaction(cast.alice, (db) =>
      db.chain.findFirstOrThrow({ orderBy: { id: 'desc' } }),
    );
    await play(cast.runner, await claimNext(cast.runner, late), { report: wantsHelp() }, late);
    expect((await readChain(cast.alice, after)).sessions).toHaveLength(2);
    await endAcknowledgement(cast.alice, chainId);
    await endAcknowledgement(cast.alice, chainId);
    expect((await readChain(cast.alice, after)).chain.outcome).toBeNull();
    expect((await audited(1))[0]).toMatchObject({ action: 'chain.acknowledgement_ended' });
  });

  it('[SAS-4.3] or whose services were snoozed, does not start what was queued before', async () => {
    const chainId = await askForTier2();
    const snooze = { until: inMs(HOUR_MS), reason: 'deploying' };
    const web = { project: cast.projectSlug, name: 'web' };
    const state = await snoozeService(cast.alice, web, snooze, now);
    expect(state.snooze).toMatchObject({ at: now.toISOString(), reason: 'deploying' });
    const attemptId = await nextAttemptId(cast.runner);
    expect(await refusalOf(claimAttempt(cast.runner, attemptId))).toBe('held_back');
    const { chain, sessions } = await readChain(cast.alice, chainId);
    expect(chain).toMatchObject({ outcome: 'suppressed', outcomeReason: 'SNOOZED' });
    expect(sessions[1]).toMatchObject({
      status: 'refused',
      statusText: 'Tier 2 was not started: web is snoozed.',
    });
  });
});

describe('an open maintenance window', () => {
  const wall = (at: Date) => at.toISOString().slice(0, 16);
  const windowOf = (effect: MaintenanceWindow['effect']): MaintenanceWindow => ({
    name: 'Patching',
    effect,
    timeZone: 'UTC',
    when: { kind: 'once', startsAt: wall(inMs(-HOUR_MS)), endsAt: wall(inMs(HOUR_MS)) },
  });

  it('[SAS-4.3] without cycles lets nothing start, and says so once in the feed', async () => {
    await saveConfig(cast, {
      schedule: { kind: 'interval', everySeconds: 600, timeZone: 'UTC' },
      maintenance: [windowOf('no_cycles')],
    });
    await expect(startOne(cast)).rejects.toThrow(
      /^The maintenance window “Patching” is open until .+ UTC\./,
    );
    const windowStart = Date.parse(`${wall(inMs(-HOUR_MS))}:00Z`);
    const first = new Date(Math.ceil(windowStart / 600_000) * 600_000);
    const next = new Date(first.getTime() + 600_000);
    for (const slot of [first, next]) {
      await inTransaction(cast.alice, (db) => db.project.updateMany({ data: { nextRunAt: slot } }));
      await startDueChains(slot);
    }
    const { chains, events } = await inTransaction(cast.alice, async (db) => ({
      chains: await db.chain.count(),
      events: await db.projectEvent.findMany({}),
    }));
    expect(chains).toBe(0);
    expect(events).toMatchObject([{ code: 'MAINTENANCE', level: 'info' }]);
  });

  it('[SAS-4.3] that only observes runs tier 1, and starts nothing above it', async () => {
    await saveConfig(cast, { maintenance: [windowOf('observe_only')] });
    const { chain } = await readChain(cast.alice, await askForTier2());
    expect(chain).toMatchObject({ outcome: 'suppressed', outcomeReason: 'MAINTENANCE' });
    const above = { projectId: cast.projectId, trigger: 'manual', tier: 2 } as const;
    await expect(startChain(cast.alice, above)).rejects.toThrow('Only tier 1 may start.');
  });

  it('[SAS-4.3] also holds back what was queued before it opened', async () => {
    const chainId = await askForTier2();
    await saveConfig(cast, { maintenance: [windowOf('observe_only')] });
    expect(await refusalOf(claimNext(cast.runner))).toBe('held_back');
    const { chain, events } = await readChain(cast.alice, chainId);
    expect(chain.statusText).toMatch(
      /^Tier 2 is waiting: the maintenance window “Patching” is open/,
    );
    expect(events.map(({ code }) => code)).toContain('MAINTENANCE');
    expect((await claimNext(cast.runner, inMs(2 * HOUR_MS))).start.tier).toBe(2);
  });
});
