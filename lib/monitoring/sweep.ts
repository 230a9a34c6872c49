/** Keeps the checks of every project with a runner, and says what is no longer known. */
import { hasAnsweredFor } from '@/lib/fleet/presence';
import { OFFLINE_AFTER_SECONDS } from '@/lib/fleet/status';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { daysBefore, deleteInBatches, forEachRowIsolated } from '@/lib/platform/db/batches';
import type { OrganizationId } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import { notifyRunner } from '@/lib/platform/live/hint';
import { enqueueAll } from '@/lib/platform/queue/enqueue';
import { getConfig, getProjectRow } from '@/lib/projects/project-rows';
import { nextCheckState } from './check-state';
import { chooseChecker } from './choose-checker';
import {
  assignChecker,
  deletePastResults,
  insertResults,
  listOutdatedCheckers,
  listOverdueProjects,
  listUnassignedCheckers,
  lockChecker,
  lockChecks,
  saveChecker,
  saveChecks,
  type UnassignedChecker,
  writeChecks,
} from './data';
import { servicesRemoved } from './domain-events';
import { forgetServices } from './forget-services';
import { adaptHeartbeats, insertHeartbeat, listUnaddressedChecks } from './heartbeat-data';
import { mintHeartbeatToken } from './heartbeat-url';
import { isHeartbeat, plannedChecks } from './planned-checks';
import { settleServices } from './settle-services';

const AT_ONCE = 500;
const ACTOR = 'Checks';

/** Makes the checks of changed configurations, and gives projects without a working runner another one. */
export async function keepCheckers(now = new Date()): Promise<void> {
  const outdated = await listOutdatedCheckers(AT_ONCE);
  await forEachRowIsolated('checks', outdated, (row) => synchronize(row, now));
  const seenAfter = new Date(now.getTime() - OFFLINE_AFTER_SECONDS * 1_000);
  const unassigned = await listUnassignedCheckers(seenAfter, AT_ONCE);
  // A runner that couldn't reach us isn't offline: it keeps what it finds until we answer again.
  const knowsAbsence = await hasAnsweredFor(OFFLINE_AFTER_SECONDS, now);
  const rows = unassigned
    .filter(({ current, mayReturn, able }) => {
      return knowsAbsence || !mayReturn || able.some(({ id }) => id === current);
    })
    .map((row) => ({ ...row, id: row.projectId }));
  /** How many projects each runner has been given in this sweep. */
  const given = new Map<string, number>();
  await forEachRowIsolated('checkers', rows, (row) => assign(row, given, now));
}

/** Takes the checks of a project from its current configuration. */
async function synchronize(
  { id: projectId, organizationId }: { id: string; organizationId: string },
  now: Date,
): Promise<void> {
  const scope = scopeOfSystem(organizationId, ACTOR);
  const jobs = await inTransaction(scope, async (db) => {
    const project = await getProjectRow(db, projectId);
    const before = await lockChecker(db, scope.organizationId, projectId);
    const config = await getConfig(db, projectId, project.currentVersion);
    const planned = plannedChecks(config);
    const past = await lockChecks(db, scope.organizationId, projectId);
    const needsRunner = planned.some((check) => !isHeartbeat(check));
    await writeChecks(db, scope.organizationId, projectId, planned, now);
    await writeHeartbeats(db, scope.organizationId, projectId, now);
    await saveChecker(db, scope.organizationId, {
      projectId,
      version: project.currentVersion,
      isOn: planned.length > 0,
      runnerId: needsRunner ? (before?.runnerId ?? null) : null,
    });
    if (before?.runnerId) await notifyRunner(db, before.runnerId);
    const checks = await lockChecks(db, scope.organizationId, projectId);
    const serviceIds = await forgetServices(db, projectId, past, checks, now);
    const settled = await settleServices(db, scope, projectId, checks, now);
    if (serviceIds.length === 0) return settled;
    const gone = { projectId, serviceIds };
    return [...settled, ...(await publish(db, scope, servicesRemoved, gone, now))];
  });
  await enqueueAll(jobs);
}

/** Gives heartbeats that are new a URL, and brings the others in line with their checks. */
async function writeHeartbeats(
  db: TenantDb,
  organizationId: OrganizationId,
  projectId: string,
  now: Date,
): Promise<void> {
  for (const { id } of await listUnaddressedChecks(db, projectId)) {
    await insertHeartbeat(db, organizationId, { checkId: id, ...mintHeartbeatToken(id) });
  }
  await adaptHeartbeats(db, organizationId, projectId, now);
}

async function assign(
  { organizationId, projectId, current, able }: UnassignedChecker,
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
  await inTransaction(scopeOfSystem(organizationId, ACTOR), async (db) => {
    const change = { projectId, from: current, to: chosen };
    if (!(await assignChecker(db, change, now))) return;
    for (const runnerId of [current, chosen]) if (runnerId) await notifyRunner(db, runnerId);
  });
}

/** How many intervals of a check may pass without a result before nothing is known. */
const OVERDUE_INTERVALS = 2;
const OVERDUE_SLACK_SECONDS = 75;
const NO_RESULT = 'No runner has reported a result.';

/** Says of checks that nobody runs that nothing is known. */
export async function expireResults(now = new Date()): Promise<number> {
  if (!(await hasAnsweredFor(OVERDUE_SLACK_SECONDS, now))) return 0;
  const overdue = await listOverdueProjects(OVERDUE_INTERVALS, OVERDUE_SLACK_SECONDS, now, AT_ONCE);
  return forEachRowIsolated(
    'overdue checks',
    overdue,
    async ({ id: projectId, organizationId }) => {
      const scope = scopeOfSystem(organizationId, ACTOR);
      const jobs = await inTransaction(scope, async (db) => {
        await lockChecker(db, scope.organizationId, projectId);
        const checks = await lockChecks(db, scope.organizationId, projectId);
        const late = checks.filter(
          ({ spec, status, lastAt, everySeconds }) =>
            !isHeartbeat({ spec }) &&
            status !== 'unknown' &&
            lastAt !== null &&
            now.getTime() - lastAt.getTime() >
              (everySeconds * OVERDUE_INTERVALS + OVERDUE_SLACK_SECONDS) * 1_000,
        );
        const result = { status: 'unknown', at: now } as const;
        const expired = late.map((check) => ({
          ...check,
          ...nextCheckState(check, result, { failures: 1, lastResults: 1 }),
          lastAt: now,
          lastStatus: 'unknown' as const,
          lastError: NO_RESULT,
          lastResponseMs: null,
        }));
        const rows = expired.map(({ id }) => {
          return { checkId: id, ...result, error: NO_RESULT, responseMs: null };
        });
        await insertResults(db, scope.organizationId, null, rows);
        await saveChecks(db, scope.organizationId, expired);
        const after = checks.map((check) => expired.find(({ id }) => id === check.id) ?? check);
        return settleServices(db, scope, projectId, after, now);
      });
      await enqueueAll(jobs);
    },
  );
}

const RESULT_DAYS = 14;
const HOUR_DAYS = 400;

/** Deletes the results whose retention has passed. */
export async function pruneCheckResults(now = new Date()): Promise<void> {
  const before = { results: daysBefore(now, RESULT_DAYS), hours: daysBefore(now, HOUR_DAYS) };
  await deleteInBatches((limit) => deletePastResults(before, limit));
}
