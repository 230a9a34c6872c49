/** What a runner asks for and reports about checks without an agent. */
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { checkRevisionOf } from '@/lib/fleet/capabilities';
import { getRunnerRow } from '@/lib/fleet/runner-rows';
import { afterCommit } from '@/lib/platform/db/raw';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inSnapshot, inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { logger } from '@/lib/platform/logger';
import { enqueueAll, type PendingJob } from '@/lib/platform/queue/enqueue';
import { getConfig } from '@/lib/projects/project-rows';
import { checkCommandPolicy } from '@/lib/projects/rules/command-policy';
import type { CheckType } from '@/lib/protocol/checks/kinds';
import { revisionNeeded } from '@/lib/protocol/checks/revision';
import type {
  CheckPlan,
  CheckResultsRequest,
  CheckResultsResponse,
  PlanResult,
} from '@/lib/protocol/monitoring';
import { type CommandPolicy, checkSchema, checkTypeSchema } from '@/lib/protocol/spec';
import { addChanges, type CheckChanges } from './check-changes';
import {
  type CheckRow,
  insertChanges,
  insertResults,
  lockChecks,
  type ResultRow,
  saveChecks,
} from './check-data';
import { nextCheckState, type ResultStatus } from './check-state';
import { listPlan, lockChecker } from './checker-data';
import { checkDuration, checkResults } from './metrics';
import { isPingCheck, planDigest } from './planned-checks';
import { inOrder, isRepeat } from './runs';
import { settleServices } from './settle-services';

/** Of no kind that any runner knows: it reports that it couldn't be run. */
const WITHHELD = { type: 'withheld' };

/**
 * Returns the checks that the runner of `scope` runs now. One that its program is too old for is replaced
 * by one that no program knows: it would ignore fields, and report what it hasn't looked at.
 */
export async function getCheckPlan(scope: TenantScope): Promise<CheckPlan> {
  const { rows, revision, policies } = await inSnapshot(scope, async (db) => {
    const { capabilities } = await getRunnerRow(db, scope.actor.id);
    const rows = await listPlan(db, scope.actor.id);
    const policies = new Map<string, CommandPolicy | undefined>();
    for (const { projectId, version, project } of rows) {
      if (!project.checks.some(hasCommand)) continue;
      policies.set(projectId, checkCommandPolicy(await getConfig(db, projectId, version)));
    }
    return { rows, policies, revision: checkRevisionOf(capabilities) };
  });
  const isKnown = (spec: unknown) => revisionNeeded(checkSchema.parse(spec)) <= revision;
  return {
    digest: planDigest(rows) ?? '',
    projects: rows.map(({ projectId, epoch, project }) => ({
      projectId,
      epoch,
      commands: policies.get(projectId),
      checks: project.checks
        .filter((check) => !isPingCheck(check))
        .map(({ id, spec, everySeconds, service }) => ({
          checkId: id,
          service: service.name,
          check: isKnown(spec) ? spec : WITHHELD,
          everySeconds,
        })),
    })),
  };
}

function hasCommand({ spec }: { spec: unknown }): boolean {
  return typeof spec === 'object' && spec !== null && 'type' in spec && spec.type === 'command';
}

/** How many projects of a report are stored at the same time: one that waits doesn't hold up the others. */
const AT_ONCE = 3;
/** A runner waits for 15 s. Without an answer in time it can't tell what was stored. */
const ANSWER_WITHIN_MS = 10_000;

/**
 * Projects whose results this process stores at the moment. Those that a runner sends again meanwhile don't
 * queue up behind their locks.
 */
const storing = new Set<string>();

/**
 * Stores what the runner of `scope` found, and the states that follow from it. Results of projects that
 * another runner checks by now are refused, and repeats have no effect. Each project is stored in its own
 * transaction: one whose results can't be, or not in time, doesn't hold up the others.
 */
export async function recordCheckPlanResults(
  scope: TenantScope,
  { results }: CheckResultsRequest,
  now = new Date(),
): Promise<CheckResultsResponse> {
  const own = new Map<string, PlanResult[]>();
  for (const result of results) {
    own.set(result.projectId, [...(own.get(result.projectId) ?? []), result]);
  }
  const outcomes = new Map<string, Outcome>();
  const answerBy = performance.now() + ANSWER_WITHIN_MS;
  const waiting = [...own];
  const storeInTurn = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (performance.now() > answerBy) return;
      const [projectId, found] = next;
      outcomes.set(projectId, await storeOfProject(scope, projectId, found, now));
    }
  };
  const stored = Promise.all(Array.from({ length: AT_ONCE }, storeInTurn));
  const answered = new AbortController();
  const { signal } = answered;
  await Promise.race([stored, setTimeout(ANSWER_WITHIN_MS, undefined, { signal })]);
  answered.abort();
  const projectIds = [...own.keys()];
  return {
    refused: projectIds.filter((id) => outcomes.get(id) === 'refused'),
    notStored: projectIds.filter((id) => (outcomes.get(id) ?? 'not_stored') === 'not_stored'),
  };
}

type Outcome = 'stored' | 'refused' | 'not_stored';

/** Never rejects. */
async function storeOfProject(
  scope: TenantScope,
  projectId: string,
  results: readonly PlanResult[],
  now: Date,
): Promise<Outcome> {
  const { organizationId } = scope;
  const key = `${organizationId} ${projectId}`;
  if (storing.has(key)) return 'not_stored';
  storing.add(key);
  try {
    const jobs = await inTransaction(scope, (db) =>
      recordOfProject(db, scope, projectId, results, now),
    );
    if (jobs === null) return 'refused';
    await enqueueAll(jobs);
    return 'stored';
  } catch (error) {
    logger.error({ organizationId, projectId, error: String(error) }, 'check results not stored');
    return 'not_stored';
  } finally {
    storing.delete(key);
  }
}

/** @returns jobs to enqueue after the commit; null if the project's checks aren't this runner's */
async function recordOfProject(
  db: TenantDb,
  scope: TenantScope,
  projectId: string,
  results: readonly PlanResult[],
  now: Date,
): Promise<PendingJob[] | null> {
  const checker = await lockChecker(db, projectId);
  if (!checker?.isOn || checker.runnerId !== scope.actor.id) return null;
  const current = results.filter(({ epoch }) => epoch === checker.epoch);
  if (current.length === 0) return null;
  const { monitoring } = await getConfig(db, projectId, checker.version);
  const checks = await lockChecks(db, projectId);
  const changed = new Map<string, CheckRow>();
  const changes: CheckChanges = new Map();
  const rows: ResultRow[] = [];
  const counted: Parameters<typeof countResults>[1][number][] = [];
  const stored = new Map(checks.map((check) => [check.id, check]));
  for (const result of inOrder(current)) {
    const before = changed.get(result.checkId) ?? stored.get(result.checkId);
    if (!before || isPingCheck(before) || isRepeat(before, result)) continue;
    const at = new Date(now.getTime() - result.agoMs);
    const { status, error, responseTimeMs } = result;
    const state = nextCheckState(before, { status, at }, monitoring);
    addChanges(changes, before, state, at);
    changed.set(before.id, {
      ...before,
      ...state,
      lastRunProcess: result.run?.processId ?? null,
      lastRunNumber: result.run?.number ?? null,
      lastRunAt: new Date(result.ranAt),
      lastAt: at,
      lastStatus: status,
      lastError: error,
      lastResponseMs: responseTimeMs,
    });
    counted.push({ spec: before.spec, status, responseMs: responseTimeMs });
    rows.push({ checkId: before.id, at, status, error, responseMs: responseTimeMs });
  }
  countResults(db, counted);
  await insertResults(db, scope.actor.id, rows);
  await insertChanges(db, changes);
  await saveChecks(db, [...changed.values()]);
  const after = checks.map((check) => changed.get(check.id) ?? check);
  return settleServices(db, scope, projectId, after, now);
}

interface Counted {
  /** CheckSpec, as stored. */
  spec: unknown;
  status: ResultStatus;
  /** Null where nothing was measured. */
  responseMs: number | null;
}

/** Counts results once they are committed. */
function countResults(db: TenantDb, results: readonly Counted[]): void {
  afterCommit(db, () => {
    for (const { spec, status, responseMs } of results) {
      const kind = kindOf(spec);
      checkResults.add({ kind, result: status });
      if (responseMs !== null) checkDuration.observe({ kind }, responseMs / 1_000);
    }
  });
}

const kindSchema = z.object({ type: checkTypeSchema });

/** A kind of a later version is counted as `other`. */
function kindOf(spec: unknown): CheckType {
  return kindSchema.safeParse(spec).data?.type ?? ('other' as CheckType);
}
