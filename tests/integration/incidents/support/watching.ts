/** A project whose checks run without an agent, on a clock that the test moves by minutes. */
import { onTestFinished } from 'vitest';
import { createChannel } from '@/lib/deliveries/channels/manage-channels';
import { recordHeartbeat } from '@/lib/engine/directives';
import { advanceIncidents } from '@/lib/incidents/sweep';
import { getCheckPlan, recordCheckPlanResults } from '@/lib/monitoring/runner-checks';
import { assignCheckers } from '@/lib/monitoring/sweep';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { CheckPlan } from '@/lib/protocol/monitoring';
import type { SERVICE_STATUSES } from '@/lib/protocol/spec';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, makeCast, makeOnce } from '@/tests/support/cast/organization';
import { claimNext, type Played, play } from '@/tests/support/cast/scripted-attempt';

type Status = (typeof SERVICE_STATUSES)[number];

/** What each service's check finds; healthy where it isn't named. */
type Found = Partial<Record<string, Status>>;

export interface Watch {
  cast: Cast;
  now(): Date;
  /** `03:07` */
  clock(): string;
  /** Passes a minute in which the checks find this, and what is due happens. */
  minute(found?: Found): Promise<void>;
  /** The same for so many milliseconds, after which every check runs once. */
  after(ms: number, found?: Found): Promise<void>;
  /** Passes minutes, with a sweep in each that could have something to do. */
  minutes(count: number, found?: Found, sweep?: (now: Date) => Promise<unknown>): Promise<void>;
  /** Passes minutes in which no runner reports, and what is due happens. */
  silence(minutes: number): Promise<void>;
  /** Plays the chain that waits for a runner, attempt by attempt. */
  playChain(...played: Played[]): Promise<void>;
  incidents(): Promise<IncidentFacts[]>;
  /** Titles of the messages to people so far. */
  messages(): Promise<string[]>;
  chains(): Promise<{ trigger: string; outcome: string | null }[]>;
}

type IncidentFacts = Awaited<ReturnType<typeof readIncidents>>[number];

function readIncidents({ alice }: Cast) {
  return inTransaction(alice, (db) =>
    db.incident.findMany({
      orderBy: { number: 'asc' },
      include: { services: { orderBy: { failingSince: 'asc' } } },
    }),
  );
}

/** A runner that wasn't there for longer sends a heartbeat, and asks for its plan. */
const MINUTE_MS = 60_000;

export const MONITORING = { everySeconds: 60, failures: 2, lastResults: 3 };

/** The sweeps of later tests look at every organization: nothing of this one is due by then. */
function rest({ alice }: Cast): Promise<void> {
  return inTransaction(alice, async (db) => {
    await db.incident.updateMany({ data: { dueAt: null } });
    await db.pagingRun.updateMany({ data: { nextAt: null } });
  });
}

/** What decides about the checks of a runner, which has just been there. */
function planFacts({ alice, runner }: Cast, now: Date): Promise<string> {
  return inTransaction(alice, async (db) => {
    await db.runner.updateMany({ where: { id: runner.actor.id }, data: { lastSeenAt: now } });
    const versions = { currentVersion: true, checksVersion: true };
    const projects = await db.project.findMany({ orderBy: { id: 'asc' }, select: versions });
    const assigned = { projectId: true, version: true, epoch: true, isOn: true, runnerId: true };
    const checkers = await db.checker.findMany({ orderBy: { projectId: 'asc' }, select: assigned });
    return JSON.stringify([projects, checkers]);
  });
}

/** After as many equal results, and before as many, every minute passes. */
const SETTLED_MINUTES = 4;

/** Minutes in which nothing is due: sweeps take what is due by its column alone. */
function idleMinutes({ alice }: Cast, now: Date): Promise<number> {
  return inTransaction(alice, async (db) => {
    const { _min: incident } = await db.incident.aggregate({ _min: { dueAt: true } });
    const { _min: paging } = await db.pagingRun.aggregate({ _min: { nextAt: true } });
    const { _min: held } = await db.webhookDelivery.aggregate({
      where: { nextAttemptAt: { gt: now } },
      _min: { nextAttemptAt: true },
    });
    const due = [incident.dueAt, paging.nextAt, held.nextAttemptAt].map(
      (at) => at?.getTime() ?? Number.MAX_VALUE,
    );
    return Math.ceil((Math.min(...due) - now.getTime()) / 60_000) - 1;
  });
}

const MIDNIGHT = new Date('2026-11-26T00:00:00.000Z');

/** Begins at midnight, with one channel for chains that need a human. */
export async function startWatch(changes: Partial<ProjectConfig> = {}): Promise<Watch> {
  const cast = await makeCast({ monitoring: MONITORING, maxTier: 1, ...changes }, MIDNIGHT);
  await createChannel(cast.alice, {
    name: 'Pager',
    settings: {
      kind: 'apprise',
      serverUrl: 'https://apprise.example',
      urls: ['slack://a/b'],
      configKey: null,
      tags: null,
    },
    outcomes: ['needs_human'],
    eventTypes: [],
    projectId: null,
  });
  return watchOf(cast, MIDNIGHT);
}

/**
 * Continues where `begin` has come to, which is done once for each key.
 *
 * @returns also what else `begin` gives, as JSON
 */
export async function continueWatch<More extends object>(
  key: string,
  begin: () => Promise<More & { watch: Watch }>,
): Promise<Omit<More, 'watch'> & { watch: Watch }> {
  const { cast, at, more } = await makeOnce(key, MIDNIGHT, async () => {
    const { watch, ...more } = await begin();
    return { cast: watch.cast, at: watch.now().toISOString(), more };
  });
  return { ...more, watch: await watchOf(cast, new Date(at)) };
}

async function watchOf(cast: Cast, since: Date): Promise<Watch> {
  let now = since;
  onTestFinished(() => rest(cast));
  let seenAt = Number.NEGATIVE_INFINITY;
  let facts = '';
  let plan: CheckPlan = { digest: '', projects: [] };

  /** Heartbeat, sweep and plan, which have tests of their own, unless they would change nothing. */
  async function beat(): Promise<void> {
    const isBack = now.getTime() - seenAt > MINUTE_MS;
    seenAt = now.getTime();
    if (!isBack && (await planFacts(cast, now)) === facts) return;
    const body = { protocol: 1 as const, capabilities: TEST_CAPABILITIES, running: [] };
    await recordHeartbeat(cast.runner, body, now);
    await assignCheckers(now);
    plan = await getCheckPlan(cast.runner);
    facts = await planFacts(cast, now);
  }

  async function report(found: Found): Promise<void> {
    const results = plan.projects.flatMap(({ projectId, epoch, checks }) =>
      checks.map(({ checkId, service }) => {
        const status = found[service] ?? 'healthy';
        return {
          ...{ projectId, epoch, checkId, status, agoMs: 0, ranAt: now.toISOString() },
          error: status === 'healthy' ? '' : 'Connection refused.',
          responseTimeMs: status === 'down' ? null : 4,
        };
      }),
    );
    if (results.length > 0) await recordCheckPlanResults(cast.runner, { results }, now);
  }

  async function after(ms: number, found: Found = {}): Promise<void> {
    now = new Date(now.getTime() + ms);
    await beat();
    await report(found);
    await advanceIncidents(now);
  }

  const minute = (found?: Found) => after(60_000, found);

  await beat();
  return {
    cast,
    now: () => now,
    clock: () => now.toISOString().slice(11, 16),
    minute,
    after,
    async minutes(count, found, sweep) {
      for (let passed = 1; passed <= count; passed += 1) {
        await minute(found);
        await sweep?.(now);
        if (passed < SETTLED_MINUTES) continue;
        const idle = Math.min(await idleMinutes(cast, now), count - passed - SETTLED_MINUTES);
        if (idle <= 0) continue;
        passed += idle;
        now = new Date(now.getTime() + idle * 60_000);
      }
    },
    async silence(minutes) {
      for (let passed = 0; passed < minutes; passed += 1) {
        now = new Date(now.getTime() + 60_000);
        await advanceIncidents(now);
      }
    },
    async playChain(...played) {
      for (const one of played) {
        await play(cast.runner, await claimNext(cast.runner, now), one, now);
      }
    },
    incidents: () => readIncidents(cast),
    async messages() {
      const rows = await inTransaction(cast.alice, (db) =>
        db.webhookDelivery.findMany({
          orderBy: { id: 'asc' },
          where: { channelId: { not: null } },
        }),
      );
      return rows.map(({ body }) => String(JSON.parse(body).title));
    },
    chains: () =>
      inTransaction(cast.alice, (db) =>
        db.chain.findMany({ orderBy: { id: 'asc' }, select: { trigger: true, outcome: true } }),
      ),
  };
}
