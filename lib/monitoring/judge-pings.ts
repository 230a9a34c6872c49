/** Turns pings and missed deadlines into results, which then count as those of runners do. */
import { answeringSince } from '@/lib/fleet/offline';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { forEachRowIsolated } from '@/lib/platform/db/batches';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { enqueueAll } from '@/lib/platform/queue/enqueue';
import { getConfig } from '@/lib/projects/project-rows';
import { checkSchema } from '@/lib/protocol/spec';
import { addChanges, type CheckChanges } from './check-changes';
import {
  type CheckRow,
  insertChanges,
  insertResults,
  lockChecks,
  type ResultRow,
  saveChecks,
} from './check-data';
import { nextCheckState } from './check-state';
import { lockChecker } from './checker-data';
import { claimDueProjects, lockPingChecks, type PingCheckRow, savePingCheck } from './ping-data';
import { deadlineOf, judgePings, pingRule } from './ping-state';
import { settleServices } from './settle-services';

const AT_ONCE = 500;
/** After a failure, so that one project doesn’t hold up the others. */
const RETRY_MS = 30_000;

/**
 * Judges the heartbeats that are due.
 *
 * @returns of how many projects
 */
export async function judgePingChecks(now = new Date()): Promise<number> {
  const retryAt = new Date(now.getTime() + RETRY_MS);
  const due = await claimDueProjects(now, retryAt, AT_ONCE);
  if (due.length === 0) return 0;
  const since = await answeringSince(now);
  return forEachRowIsolated('heartbeats', due, async ({ id: projectId, organizationId }) => {
    const scope = scopeOfSystem(organizationId, 'Heartbeats');
    const jobs = await inTransaction(scope, async (db) => {
      const checker = await lockChecker(db, projectId);
      if (!checker?.isOn) return [];
      const { monitoring } = await getConfig(db, projectId, checker.version);
      const checks = await lockChecks(db, projectId);
      const rows: ResultRow[] = [];
      const changes: CheckChanges = new Map();
      const changed = new Map<string, CheckRow>();
      for (const pingCheck of await lockPingChecks(db, projectId)) {
        const before = checks.find(({ id }) => id === pingCheck.checkId);
        if (!before || !isDue(pingCheck, now, retryAt)) continue;
        const rule = pingRule(checkSchema.parse(before.spec));
        const pings = { ...pingCheck, wasMissed: wasMissed(before, deadlineOf(pingCheck, rule)) };
        const { results, nextAt } = judgePings(pings, rule, since, now);
        for (const { status, error, at } of results) {
          const past = changed.get(before.id) ?? before;
          const state = nextCheckState(past, { status, at }, monitoring);
          addChanges(changes, past, state, at);
          changed.set(before.id, {
            ...past,
            ...state,
            ...{ lastAt: at, lastStatus: status, lastError: error, lastResponseMs: null },
          });
          rows.push({ checkId: before.id, at, status, error, responseMs: null });
        }
        const isJudged = { hasNewSuccess: false, hasNewFailure: false, judgedAt: now };
        await savePingCheck(db, { ...pingCheck, ...isJudged, dueAt: nextAt });
      }
      await insertResults(db, null, rows);
      await insertChanges(db, changes);
      await saveChecks(db, [...changed.values()]);
      const after = checks.map((check) => changed.get(check.id) ?? check);
      return settleServices(db, scope, projectId, after, now);
    });
    await enqueueAll(jobs);
  });
}

/** Whether its last result says that the deadline was missed. */
function wasMissed({ lastStatus, lastAt }: CheckRow, deadline: Date | null): boolean {
  return lastStatus === 'down' && lastAt !== null && deadline !== null && lastAt >= deadline;
}

/** Those that were claimed are put off until `retryAt`. */
function isDue({ dueAt }: PingCheckRow, now: Date, retryAt: Date): boolean {
  return dueAt !== null && (dueAt <= now || dueAt.getTime() === retryAt.getTime());
}
