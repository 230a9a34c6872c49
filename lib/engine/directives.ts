import { createHash } from 'node:crypto';
import { hasNewProof } from '@/lib/fleet/capabilities';
import { openHold } from '@/lib/fleet/door';
import { runnerQueue } from '@/lib/fleet/queues';
import { recordCapabilities } from '@/lib/fleet/record-capabilities';
import { runnerProgram } from '@/lib/fleet/runner-program';
import { getRunnerRow, listOpenCheckTests } from '@/lib/fleet/runner-rows';
import { advanceUpdate } from '@/lib/fleet/updates';
import { listAssignments } from '@/lib/monitoring/checker-rows';
import { planDigest } from '@/lib/monitoring/planned-checks';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { liveHub } from '@/lib/platform/live/hub';
import { enqueueAttempts } from '@/lib/platform/queue/enqueue';
import { CHECK_REVISION } from '@/lib/protocol/checks/revision';
import { questionAnswersSchema } from '@/lib/protocol/events';
import {
  type Directive,
  type DirectivesResponse,
  type HeartbeatRequest,
  LEASE_SECONDS,
  orderedStopSchema,
} from '@/lib/protocol/schema';
import { checkSchema } from '@/lib/protocol/spec';
import { isCurrentRun, listRunningAttempts, listWaitingForProof } from './attempt/data';

/** Returns the directives for an attempt that the runner runs under `fence`. */
export function directivesFor(
  attempt: {
    id: string;
    status: string;
    fence: number;
    stopRequestedAt: Date | null;
    stopCause: string | null;
    checkpointRequestedAt: Date | null;
    /** Answered and not delivered yet; absent if they were not read. */
    questions?: readonly { requestId: string; answers: unknown }[];
  },
  fence: number,
): Directive[] {
  if (!isCurrentRun(attempt, fence)) {
    return [{ kind: 'stop', attemptId: attempt.id, reason: 'fenced' }];
  }
  // A process that ends writes a checkpoint anyway.
  if (!attempt.stopRequestedAt) return [...checkpointDirective(attempt), ...answers(attempt)];
  const reason = orderedStopSchema.safeParse(attempt.stopCause).data ?? 'operator';
  return [{ kind: 'stop', attemptId: attempt.id, reason }];
}

function checkpointDirective({
  id,
  checkpointRequestedAt,
}: {
  id: string;
  checkpointRequestedAt: Date | null;
}): Directive[] {
  if (!checkpointRequestedAt) return [];
  return [{ kind: 'checkpoint', attemptId: id, requestedAt: checkpointRequestedAt.toISOString() }];
}

function answers({ id, questions = [] }: Parameters<typeof directivesFor>[0]): Directive[] {
  return questions.map((question) => ({
    kind: 'answer',
    attemptId: id,
    requestId: question.requestId,
    answers: questionAnswersSchema.parse(question.answers),
  }));
}

interface RunnerOrders {
  drainingAt: Date | null;
  pausedAt: Date | null;
  revokedAt: Date | null;
  slotLimit: number | null;
  rotationRequestedAt: Date | null;
  /** Checksum of the program to update to, once its turn has come. */
  updateTo: string | null;
}

interface CheckTestRow {
  id: string;
  service: string;
  check: unknown;
}

type RunningAttempt = Parameters<typeof directivesFor>[0];

/**
 * Returns all directives for a runner.
 *
 * @param attempts those that the control plane assigns to it
 * @param believed those that the runner reports as running
 * @param tests check tests that wait for it
 * @param checks digest of the checks that it runs without an agent; null for none
 */
export function directivesNow(
  runner: RunnerOrders,
  attempts: readonly RunningAttempt[],
  believed: readonly { attemptId: string; fence: number }[],
  tests: readonly CheckTestRow[] = [],
  checks: string | null = null,
): Required<DirectivesResponse> {
  const directives: Directive[] = attempts.flatMap((attempt) =>
    directivesFor(attempt, attempt.fence),
  );
  const known = new Map(attempts.map((attempt) => [attempt.id, attempt.fence]));
  for (const { attemptId, fence } of believed) {
    if (known.get(attemptId) !== fence) {
      directives.push({ kind: 'stop', attemptId, reason: 'fenced' });
    }
  }
  // The runner treats a pause like a drain: it finishes its attempts and claims nothing new.
  if (runner.drainingAt || runner.pausedAt || runner.updateTo !== null) {
    directives.push({ kind: 'drain' });
  }
  if (runner.slotLimit !== null) directives.push({ kind: 'limit', slots: runner.slotLimit });
  if (runner.updateTo !== null) directives.push({ kind: 'update', sha256: runner.updateTo });
  if (runner.rotationRequestedAt) directives.push({ kind: 'rotate_key' });
  if (checks !== null) directives.push({ kind: 'checks', digest: checks });
  for (const { id, service, check } of tests) {
    directives.push({
      kind: 'check',
      testId: id,
      service,
      check: checkSchema.parse(check),
      checkRevision: CHECK_REVISION,
    });
  }
  if (runner.revokedAt) directives.push({ kind: 'revoked' });
  // A repeated request for a new key is a new request.
  const said = [directives, runner.rotationRequestedAt];
  return { directives, digest: digestOf(said) };
}

function updateTo(hasTurn: boolean): string | null {
  return hasTurn ? (runnerProgram()?.sha256 ?? null) : null;
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

/** The digest that a runner without any directives is assumed to have seen. */
export const NOTHING_SAID = digestOf([[], null]);

/**
 * Answers as soon as the runner's directives differ from what it has `seen` (the digest of an
 * earlier answer), or after 25 s. It subscribes before it reads the rows, so no hint in between is
 * missed.
 *
 * @param gone aborted when the runner has closed the connection
 */
export async function waitForDirectives(
  scope: TenantScope,
  gone: AbortSignal,
  seen: string = NOTHING_SAID,
): Promise<DirectivesResponse> {
  const hold = openHold(gone);
  try {
    for (;;) {
      const hint = nextHint(scope.actor.id, hold.signal);
      const answer = await inTransaction(scope, async (db) => {
        const runner = await getRunnerRow(db, scope.actor.id);
        const attempts = await listRunningAttempts(db, runner.id);
        const orders = { ...runner, updateTo: updateTo(runner.updateStartedAt !== null) };
        const tests = await listOpenCheckTests(db, runner.id);
        const checks = planDigest(await listAssignments(db, runner.id));
        return directivesNow(orders, attempts, [], tests, checks);
      });
      if (answer.digest !== seen || hold.signal.aborted) {
        hint.cancel();
        return answer;
      }
      await hint.received;
    }
  } finally {
    hold.release();
  }
}

function nextHint(runnerId: string, signal: AbortSignal) {
  let cancel = () => {};
  const received = new Promise<void>((resolve) => {
    const done = () => {
      signal.removeEventListener('abort', done);
      unsubscribe();
      resolve();
    };
    const unsubscribe = liveHub().subscribe(`r:${runnerId}`, done);
    signal.addEventListener('abort', done);
    cancel = done;
  });
  return { received, cancel };
}

/**
 * Stores what the host offers, and renews the leases of the attempts that it reports as running. What
 * waits for a canary is enqueued for the runner once it has passed one.
 */
export async function recordHeartbeat(
  scope: TenantScope,
  heartbeat: HeartbeatRequest,
  now = new Date(),
): Promise<DirectivesResponse> {
  const { answer, unblocked } = await inTransaction(scope, async (db) => {
    const runner = await getRunnerRow(db, scope.actor.id);
    await recordCapabilities(db, scope, runner, heartbeat, now);
    const isUpdating = await advanceUpdate(db, scope, runner, heartbeat.capabilities, now);
    const leaseExpiresAt = new Date(now.getTime() + LEASE_SECONDS * 1_000);
    for (const { attemptId, fence } of heartbeat.running) {
      await db.attempt.updateMany({
        where: { id: attemptId, runnerId: runner.id, fence, status: { not: 'ended' } },
        data: { leaseExpiresAt },
      });
    }
    const orders = { ...runner, updateTo: updateTo(isUpdating) };
    const attempts = await listRunningAttempts(db, runner.id);
    const hasProof = hasNewProof(runner.capabilities, heartbeat.capabilities);
    return {
      answer: directivesNow(orders, attempts, heartbeat.running),
      unblocked: hasProof ? await listWaitingForProof(db, runner) : [],
    };
  });
  const queueName = runnerQueue(scope.actor.id);
  if (unblocked.length > 0) {
    await enqueueAttempts(unblocked.map((attemptId) => ({ queueName, attemptId })));
  }
  return answer;
}
