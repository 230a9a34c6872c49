import { canAskOf, cliVersionOf, confinementOf, tooOldToAsk } from '@/lib/fleet/capabilities';
import { confinementProblem } from '@/lib/fleet/confinement';
import { deniedSentence, deniedVersionsOf, runnerDenial } from '@/lib/fleet/denied-versions';
import { hasAnsweredFor } from '@/lib/fleet/offline';
import { queueOf, runnerQueue } from '@/lib/fleet/queues';
import { runnerStatus } from '@/lib/fleet/status';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { forEachRowIsolated } from '@/lib/platform/db/batches';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { enqueueAttempt, enqueueAttempts, enqueueMany } from '@/lib/platform/queue/enqueue';
import { settleAttemptJob } from '@/lib/platform/queue/jobs';
import { LEASE_SECONDS } from '@/lib/protocol/schema';
import { listPoolHosts } from '../hosts/data';
import { isAble, isFit, type PoolHost } from '../hosts/pool-hosts';
import { settleLostAttempt } from '../settle';
import type { WaitReason } from '../statuses';
import {
  listExpiredLeases,
  listRunnersOfPools,
  listUnsettled,
  listWaitingWork,
  type PoolRunner,
  releaseFromHosts,
  takeUnclaimed,
  updateWaitTexts,
  type WaitingAttempt,
  type WaitingWork,
} from './data';
import { isolationSentence, type WaitingRunner, waitSentence } from './wait-sentence';

/**
 * The job of a row that was enqueued less than this many seconds ago counts as being on its way.
 */
export const QUIET_SECONDS = 5;

/**
 * Enqueues rows again whose job was lost: attempts that nobody claims, and results that nobody
 * settles. Job ids are made from the rows, so one too many changes nothing.
 *
 * @returns how many jobs were enqueued
 */
export async function enqueueWaiting(now = new Date()): Promise<number> {
  await releaseFromHosts(now);
  const quiet = new Date(now.getTime() - QUIET_SECONDS * 1_000);
  const waiting = await takeUnclaimed(quiet, now);
  await enqueueAttempts(await placesOf(waiting, now));
  await explainWaits(waiting, now);
  const unsettled = await listUnsettled(quiet, now);
  await enqueueMany(
    settleAttemptJob,
    unsettled.map(({ organizationId, id }) => ({ organizationId, attemptId: id })),
  );
  return waiting.length + unsettled.length;
}

/** Notifying more runners about one attempt only causes claims that fail. */
const MAX_RUNNERS = 10;

type Place = { queueName: string; attemptId: string };

/** Returns the queues of attempts that nobody has claimed. */
async function placesOf(waiting: readonly WaitingAttempt[], now: Date): Promise<Place[]> {
  const directed = waiting.filter(isDirected);
  const others = waiting.filter((row) => !isDirected(row));
  const places = others.map((row) => ({ queueName: queueOf(row), attemptId: row.id }));
  await forEachRowIsolated('isolation', directed, async (row) => {
    const scope = scopeOfSystem(row.organizationId, 'Isolation');
    const hosts = await inTransaction(scope, (db) => listPoolHosts(db, row.id, now));
    const queues = queuesForIsolation(row, hosts);
    places.push(...queues.map((queueName) => ({ queueName, attemptId: row.id })));
  });
  return places;
}

function isDirected({ waitReason, requiredRunnerId }: WaitingAttempt): boolean {
  return waitReason === 'isolation' && requiredRunnerId === null;
}

/**
 * Returns the queues of the runners that can confine the agent, so that those that can't don't claim it
 * again and again. A runner whose canary runs is notified by its result. If none is left, the next runner
 * to claim it ends the wait.
 */
function queuesForIsolation(row: WaitingAttempt, hosts: readonly PoolHost[]): string[] {
  if (!hosts.some(isFit)) return [queueOf(row)];
  const able = hosts.filter(isAble).slice(0, MAX_RUNNERS);
  return able.map(({ id }) => runnerQueue(id));
}

type Runner = WaitingRunner & Pick<PoolRunner, 'name' | 'poolId' | 'capabilities'>;

/**
 * Writes why they wait to the chains and turns of unclaimed attempts, so that lists, the API and
 * the command line show it. Rows are written only if the text has changed.
 */
export async function explainWaits(
  waiting: readonly Pick<WaitingAttempt, 'id'>[],
  now: Date,
): Promise<void> {
  if (waiting.length === 0) return;
  const work = await listWaitingWork(waiting.map(({ id }) => id));
  if (work.length === 0) return;
  const rows = await listRunnersOfPools([...new Set(work.map(({ poolId }) => poolId))]);
  const runners = rows.map((row) => ({
    ...row,
    status: runnerStatus(row, now),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
  }));
  const texts = work.flatMap((each) => {
    const { id, isChain, text, pool, poolId } = each;
    const own = runners.flatMap((runner) =>
      runner.poolId === poolId ? [{ ...runner, pool }] : [],
    );
    const said = explain(each, own);
    return said.text === text ? [] : [{ id, isChain, ...said }];
  });
  if (texts.length > 0) await updateWaitTexts(texts);
}

/**
 * Returns what work waits for, with the sentence.
 *
 * @param own the runners of its pool
 */
function explain(
  work: WaitingWork,
  own: readonly Runner[],
): { text: string; waitReason: WaitReason } {
  const { isTurn, tier, pool, harness, dueAt } = work;
  const able = isTurn ? own.filter(({ capabilities }) => canAskOf(capabilities)) : own;
  if (own.some(isOnline) && !able.some(isOnline)) {
    const text = `Waiting for a runner: ${tooOldToAsk(pool, own.filter(isOnline))}`;
    return { text, waitReason: 'runner' };
  }
  const denied = deniedVersionsOf(work);
  const judged = able.map((runner) => ({
    ...runner,
    version: cliVersionOf(runner.capabilities, harness),
    denial: runnerDenial(runner.capabilities, harness, denied),
  }));
  const wouldTake = judged.filter((each) => isOnline(each) && each.allowedTiers.includes(tier));
  if (work.waitReason === 'isolation') {
    const confining = wouldTake.filter(
      ({ denial, capabilities }) =>
        denial === null && confinementProblem(confinementOf(capabilities)) === null,
    );
    const about = { pool, dueAt: isTurn ? null : dueAt };
    return { text: isolationSentence(about, confining), waitReason: 'isolation' };
  }
  const refused = wouldTake.flatMap(({ denial, ...each }) => (denial ? [{ ...each, denial }] : []));
  if (refused.length > 0 && refused.length === wouldTake.length) {
    return { text: deniedSentence(pool, harness, refused), waitReason: 'version' };
  }
  const allowed = judged.filter(({ denial }) => denial === null);
  const text = waitSentence(pool, tier, allowed.length > 0 ? allowed : own, null);
  return { text, waitReason: 'runner' };
}

function isOnline({ status }: { status: string }): boolean {
  return status === 'online';
}

/**
 * Enqueues an attempt for those runners of the pool that may run it, after the runner of `scope`, which
 * may not, has taken its wake-up job. They get it now instead of with the next sweep, and the first
 * to claim it runs it.
 */
export async function notifyEligibleRunners(
  scope: TenantScope,
  attemptId: string,
  now: Date,
): Promise<void> {
  const hosts = await inTransaction(scope, (db) => listPoolHosts(db, attemptId, now));
  // The refused runner would get it back at once, and be refused again.
  const others = hosts.filter((host) => isAble(host) && host.id !== scope.actor.id);
  for (const { id } of others.slice(0, MAX_RUNNERS)) {
    await enqueueAttempt(runnerQueue(id), attemptId);
  }
}

/**
 * Ends attempts whose lease has expired. Leases expire only after the runner API has answered
 * without a gap for as long as a lease lasts, so that no runner counts as lost after an outage of
 * the control plane.
 *
 * @returns how many attempts were ended
 */
export async function expireLeases(now = new Date()): Promise<number> {
  if (!(await hasAnsweredFor(LEASE_SECONDS, now))) return 0;
  const expired = await listExpiredLeases(now);
  return forEachRowIsolated('leases', expired, ({ organizationId, id }) =>
    settleLostAttempt(scopeOfSystem(organizationId, 'Lease watch'), id, now),
  );
}
