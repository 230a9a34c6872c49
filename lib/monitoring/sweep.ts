/** Keeps the checks of every project with a runner, and says what is no longer known. */
import { hasAnsweredFor } from '@/lib/fleet/offline';
import { OFFLINE_AFTER_SECONDS } from '@/lib/fleet/status';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { daysBefore, deleteInBatches, forEachRowIsolated } from '@/lib/platform/db/batches';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import { notifyRunner } from '@/lib/platform/live/hint';
import { enqueueAll } from '@/lib/platform/queue/enqueue';
import { getConfig, getProjectRow, markChecksWritten } from '@/lib/projects/project-rows';
import { nextBlock } from './block';
import { addChanges, type CheckChanges } from './check-changes';
import {
  deletePastChanges,
  deletePastHours,
  deletePastResults,
  insertChanges,
  insertResults,
  listOverdueProjects,
  lockChecks,
  postponeOverdue,
  saveChecks,
  writeChecks,
} from './check-data';
import { nextCheckState, OVERDUE_SLACK_SECONDS, overdueAt } from './check-state';
import {
  assignChecker,
  type BlockCandidate,
  listBlockCandidates,
  listOutdatedCheckers,
  listUnassignedCheckers,
  lockChecker,
  saveBlock,
  saveChecker,
  type UnassignedChecker,
} from './checker-data';
import { blockOf } from './checker-rows';
import { chooseChecker } from './choose-checker';
import { checksBlocked, checksResumed, servicesRemoved } from './domain-events';
import { adaptPingChecks, insertPingCheck, listUnaddressedChecks } from './ping-data';
import { mintPingToken } from './ping-url';
import { isPingCheck, plannedChecks } from './planned-checks';
import { forgetServices, settleServices } from './settle-services';

const ACTOR = 'Checks';

/** Makes the checks of changed configurations, and gives projects without a working runner another one. */
export async function assignCheckers(now = new Date()): Promise<void> {
  await forEachRowIsolated('checks', await listOutdatedCheckers(), (row) => synchronize(row, now));
  const unassigned = await listUnassignedCheckers(onlineSince(now));
  // A runner that couldn't reach us isn't offline: it keeps what it finds until we answer again.
  const knowsAbsence = await hasAnsweredFor(OFFLINE_AFTER_SECONDS, now);
  const rows = unassigned.filter(({ current, mayReturn, able }) => {
    return knowsAbsence || !mayReturn || able.some(({ id }) => id === current);
  });
  /** How many projects each runner has been given in this sweep. */
  const given = new Map<string, number>();
  await forEachRowIsolated('checkers', rows, (row) => assign(row, given, now));
}

/** A runner that was last there before that is offline. */
function onlineSince(now: Date): Date {
  return new Date(now.getTime() - OFFLINE_AFTER_SECONDS * 1_000);
}

/** Takes the checks of a project from its current configuration. */
async function synchronize(
  { id: projectId, organizationId }: { id: string; organizationId: string },
  now: Date,
): Promise<void> {
  const scope = scopeOfSystem(organizationId, ACTOR);
  const { version, jobs } = await inTransaction(scope, async (db) => {
    const before = await lockChecker(db, projectId);
    const { currentVersion } = await getProjectRow(db, projectId);
    // An earlier sweep was interrupted before it marked them.
    if (before?.version === currentVersion) return { version: currentVersion, jobs: [] };
    const config = await getConfig(db, projectId, currentVersion);
    const planned = plannedChecks(config);
    const past = await lockChecks(db, projectId);
    await writeChecks(db, projectId, planned, now);
    await writeHeartbeats(db, projectId, now);
    const isOn = planned.length > 0;
    const needsRunner = planned.some((check) => !isPingCheck(check));
    const mayStay = needsRunner && before?.pool === config.runnerPool;
    await saveChecker(db, {
      ...{ projectId, isOn, needsRunner, version: currentVersion, pool: config.runnerPool },
      runnerId: mayStay ? before.runnerId : null,
    });
    if (before?.runnerId) await notifyRunner(db, before.runnerId);
    const checks = await lockChecks(db, projectId);
    const from = { projectId, version: before?.version ?? null };
    const serviceIds = await forgetServices(db, from, past, checks, now);
    const settled = await settleServices(db, scope, projectId, checks, now);
    if (serviceIds.length === 0) return { version: currentVersion, jobs: settled };
    const gone = await publish(db, scope, servicesRemoved, { projectId, serviceIds }, now);
    return { version: currentVersion, jobs: [...settled, ...gone] };
  });
  await enqueueAll(jobs);
  // Apart from it: whoever saves a configuration locks the project before its services.
  await inTransaction(scope, (db) => markChecksWritten(db, projectId, version));
}

/** Gives heartbeats that are new a URL, and brings the others in line with their checks. */
async function writeHeartbeats(db: TenantDb, projectId: string, now: Date): Promise<void> {
  for (const { id } of await listUnaddressedChecks(db, projectId)) {
    await insertPingCheck(db, { checkId: id, ...mintPingToken(id) });
  }
  await adaptPingChecks(db, projectId, now);
}

async function assign(
  { organizationId, id: projectId, current, able }: UnassignedChecker,
  given: Map<string, number>,
  now: Date,
): Promise<void> {
  const counted = able.map((runner) => ({
    ...runner,
    projects: runner.projects + (given.get(runner.id) ?? 0),
  }));
  const chosen = chooseChecker(current, counted);
  if (chosen === current) return;
  if (chosen) given.set(chosen, (given.get(chosen) ?? 0) + 1);
  const scope = scopeOfSystem(organizationId, ACTOR);
  await inTransaction(scope, async (db) => {
    await lockChecker(db, projectId);
    const change = { projectId, from: current, to: chosen };
    if (!(await assignChecker(db, change, now))) return;
    for (const runnerId of [current, chosen]) if (runnerId) await notifyRunner(db, runnerId);
  });
}

const NO_RESULT = 'No runner has reported a result.';

/** Says of checks that nobody runs that nothing is known. */
export async function expireResults(now = new Date()): Promise<number> {
  if (!(await hasAnsweredFor(OVERDUE_SLACK_SECONDS, now))) return 0;
  await postponeOverdue(now);
  return forEachRowIsolated(
    'overdue checks',
    await listOverdueProjects(now),
    async ({ id: projectId, organizationId }) => {
      const scope = scopeOfSystem(organizationId, ACTOR);
      const jobs = await inTransaction(scope, async (db) => {
        await lockChecker(db, projectId);
        const checks = await lockChecks(db, projectId);
        const late = checks.filter((check) => {
          const at = isPingCheck(check) ? null : overdueAt(check);
          return check.status !== 'unknown' && at !== null && at <= now;
        });
        const result = { status: 'unknown', at: now } as const;
        const changes: CheckChanges = new Map();
        const expired = late.map((check) => {
          const state = nextCheckState(check, result, { failures: 1, lastResults: 1 });
          addChanges(changes, check, state, now);
          return {
            ...check,
            ...state,
            lastAt: now,
            lastStatus: 'unknown' as const,
            lastError: NO_RESULT,
            lastResponseMs: null,
          };
        });
        const rows = expired.map(({ id }) => {
          return { checkId: id, ...result, error: NO_RESULT, responseMs: null };
        });
        await insertResults(db, null, rows);
        await insertChanges(db, changes);
        await saveChecks(db, expired);
        const after = checks.map((check) => expired.find(({ id }) => id === check.id) ?? check);
        return settleServices(db, scope, projectId, after, now);
      });
      await enqueueAll(jobs);
    },
  );
}

const RESULT_DAYS = 14;
const HOUR_DAYS = 400;
/** A little longer than the 13 weeks that pages show. */
const CHANGE_DAYS = 100;

/** Deletes results, hours and changes whose retention has passed. */
export async function pruneCheckResults(now = new Date()): Promise<void> {
  const results = daysBefore(now, RESULT_DAYS);
  await deleteInBatches((limit) => deletePastResults(results, limit));
  const hours = daysBefore(now, HOUR_DAYS);
  await deleteInBatches((limit) => deletePastHours(hours, limit));
  const changes = daysBefore(now, CHANGE_DAYS);
  await deleteInBatches((limit) => deletePastChanges(changes, limit));
}

/** Records which projects have checks that no runner can run, and notifies people when that begins and ends. */
export async function watchBlocks(now = new Date()): Promise<number> {
  if (!(await hasAnsweredFor(OFFLINE_AFTER_SECONDS, now))) return 0;
  const candidates = await listBlockCandidates(onlineSince(now), now);
  return forEachRowIsolated('blocked checks', candidates, (row) => watchBlock(row, now));
}

async function watchBlock(row: BlockCandidate, now: Date): Promise<void> {
  const { organizationId, id: projectId, runnerId, lastSeenAt, canRunChecks } = row;
  const scope = scopeOfSystem(organizationId, ACTOR);
  const jobs = await inTransaction(scope, async (db) => {
    const checker = await lockChecker(db, projectId);
    // Given to another runner since: that is another sweep's.
    if (!checker || checker.runnerId !== runnerId) return [];
    const before = blockOf(checker);
    const runner = runnerId === null ? null : { lastSeenAt, canRunChecks };
    const facts = {
      isOn: checker.isOn && checker.needsRunner,
      runner,
      everySeconds: row.everySeconds ?? 0,
    };
    const { block, news } = nextBlock(before, facts, onlineSince(now), now);
    await saveBlock(db, projectId, block);
    if (news === 'blocked' && block) {
      const { since, reason } = block;
      return publish(db, scope, checksBlocked, { projectId, since, reason }, now);
    }
    if (news === 'resumed' && before) {
      return publish(db, scope, checksResumed, { projectId, since: before.since }, now);
    }
    return [];
  });
  await enqueueAll(jobs);
}
