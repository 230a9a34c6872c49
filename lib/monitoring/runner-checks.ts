/** What a runner asks for and reports about checks without an agent. */
import type { TenantScope } from '@/lib/platform/db/scope';
import { inSnapshot, inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { enqueueAll } from '@/lib/platform/queue/enqueue';
import { getConfig } from '@/lib/projects/project-rows';
import { checkCommandPolicy } from '@/lib/projects/rules/command-policy';
import type {
  CheckPlan,
  CheckResultsRequest,
  CheckResultsResponse,
  PlanResult,
} from '@/lib/protocol/monitoring';
import type { CommandPolicy } from '@/lib/protocol/spec';
import { nextCheckState } from './check-state';
import {
  type CheckRow,
  insertResults,
  listPlan,
  lockChecker,
  lockChecks,
  type ResultRow,
  saveChecks,
} from './data';
import { planDigest } from './plan-digest';
import { isHeartbeat } from './planned-checks';
import { settleServices } from './settle-services';

/** Returns the checks that the runner of `scope` runs now. */
export async function getCheckPlan(scope: TenantScope): Promise<CheckPlan> {
  const { rows, policies } = await inSnapshot(scope, async (db) => {
    const rows = await listPlan(db, scope.actor.id);
    const policies = new Map<string, CommandPolicy | undefined>();
    for (const { projectId, version, project } of rows) {
      if (!project.checks.some(hasCommand)) continue;
      policies.set(projectId, checkCommandPolicy(await getConfig(db, projectId, version)));
    }
    return { rows, policies };
  });
  return {
    digest: planDigest(rows) ?? '',
    projects: rows.map(({ projectId, epoch, project }) => ({
      projectId,
      epoch,
      commands: policies.get(projectId),
      checks: project.checks
        .filter((check) => !isHeartbeat(check))
        .map(({ id, spec, everySeconds, service }) => ({
          checkId: id,
          service: service.name,
          check: spec,
          everySeconds,
        })),
    })),
  };
}

function hasCommand({ spec }: { spec: unknown }): boolean {
  return typeof spec === 'object' && spec !== null && 'type' in spec && spec.type === 'command';
}

/**
 * Stores what the runner of `scope` found, and the states that follow from it. Results of projects that
 * another runner checks by now are refused, and repeats have no effect.
 */
export async function recordCheckPlanResults(
  scope: TenantScope,
  { results }: CheckResultsRequest,
  now = new Date(),
): Promise<CheckResultsResponse> {
  const refused: string[] = [];
  for (const projectId of new Set(results.map((result) => result.projectId))) {
    const own = results.filter((result) => result.projectId === projectId);
    const stored = await inTransaction(scope, (db) =>
      recordOfProject(db, scope, projectId, own, now),
    );
    if (stored === null) refused.push(projectId);
    else await enqueueAll(stored);
  }
  return { refused };
}

/** @returns jobs to enqueue after the commit; null if the project's checks aren't this runner's */
async function recordOfProject(
  db: TenantDb,
  scope: TenantScope,
  projectId: string,
  results: readonly PlanResult[],
  now: Date,
) {
  const checker = await lockChecker(db, scope.organizationId, projectId);
  if (!checker?.isOn || checker.runnerId !== scope.actor.id) return null;
  const current = results.filter(({ epoch }) => epoch === checker.epoch);
  if (current.length === 0) return null;
  const { monitoring } = await getConfig(db, projectId, checker.version);
  const checks = await lockChecks(db, scope.organizationId, projectId);
  const changed = new Map<string, CheckRow>();
  const rows: ResultRow[] = [];
  const byTime = current.toSorted((one, other) => (one.ranAt < other.ranAt ? -1 : 1));
  for (const result of byTime) {
    const before = changed.get(result.checkId) ?? checks.find(({ id }) => id === result.checkId);
    const ranAt = new Date(result.ranAt);
    if (!before || isHeartbeat(before) || (before.lastRunAt !== null && ranAt <= before.lastRunAt))
      continue;
    const at = new Date(now.getTime() - result.agoMs);
    const { status, error, responseTimeMs } = result;
    changed.set(before.id, {
      ...before,
      ...nextCheckState(before, { status, at }, monitoring),
      lastRunAt: ranAt,
      lastAt: at,
      lastStatus: status,
      lastError: error,
      lastResponseMs: responseTimeMs,
    });
    rows.push({ checkId: before.id, at, status, error, responseMs: responseTimeMs });
  }
  await insertResults(db, scope.organizationId, scope.actor.id, rows);
  await saveChecks(db, scope.organizationId, [...changed.values()]);
  const after = checks.map((check) => changed.get(check.id) ?? check);
  return settleServices(db, scope, projectId, after, now);
}
