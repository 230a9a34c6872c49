import { directivesFor } from '@/lib/attempts/directives';
import { inTransaction, type TenantDb } from '@/lib/db/tenant-db';
import { liveHub } from '@/lib/live/hub/client';
import {
  DIRECTIVES_HOLD_SECONDS,
  type Directive,
  type DirectivesResponse,
} from '@/lib/runner-protocol/schema';
import type { TenantScope } from '@/lib/tenancy/scope';
import { getRunnerRow, listRunningAttempts } from '../data';

/**
 * Answers as soon as the runner has to be told something, or empty after 25 s. The hint is heard
 * before the rows are read, so none can slip between.
 */
export async function waitForDirectives(
  scope: TenantScope,
  signal: AbortSignal,
): Promise<DirectivesResponse> {
  const deadline = Date.now() + DIRECTIVES_HOLD_SECONDS * 1_000;
  for (;;) {
    const hinted = nextHint(scope.actor.id, signal, deadline);
    const answer = await inTransaction(scope, async (db) => {
      const runner = await getRunnerRow(db, scope.actor.id);
      return directivesOf(db, runner, []);
    });
    if (answer.directives.length > 0 || signal.aborted || Date.now() >= deadline) {
      hinted.cancel();
      return answer;
    }
    await hinted.promise;
  }
}

function nextHint(runnerId: string, signal: AbortSignal, deadline: number) {
  let cancel = () => {};
  const promise = new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      unsubscribe();
      resolve();
    };
    const timer = setTimeout(done, Math.max(0, deadline - Date.now()));
    const unsubscribe = liveHub().subscribe(`r:${runnerId}`, done);
    signal.addEventListener('abort', done);
    cancel = done;
  });
  return { promise, cancel };
}

/** `running` adds attempts that only the runner still believes in. */
export async function directivesOf(
  db: TenantDb,
  runner: { id: string; drainingAt: Date | null; revokedAt: Date | null },
  running: readonly { attemptId: string; fence: number }[],
): Promise<DirectivesResponse> {
  const attempts = await listRunningAttempts(db, runner.id);
  const directives: Directive[] = attempts.flatMap((attempt) =>
    directivesFor(attempt, attempt.fence),
  );
  const known = new Map(attempts.map((attempt) => [attempt.id, attempt.fence]));
  for (const { attemptId, fence } of running) {
    if (known.get(attemptId) !== fence) {
      directives.push({ kind: 'stop', attemptId, reason: 'fenced' });
    }
  }
  if (runner.drainingAt) directives.push({ kind: 'drain' });
  if (runner.revokedAt) directives.push({ kind: 'revoked' });
  return { directives };
}
