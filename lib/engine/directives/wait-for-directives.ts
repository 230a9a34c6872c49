import { openHold } from '@/lib/fleet/door';
import { getRunnerRow, listOpenCheckTests } from '@/lib/fleet/runner-rows';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { liveHub } from '@/lib/platform/live/hub';
import type { DirectivesResponse } from '@/lib/protocol/schema';
import { listRunningAttempts } from '../attempt/data';
import { directivesNow, NOTHING_SAID } from './directives';

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
        return directivesNow(runner, attempts, [], await listOpenCheckTests(db, runner.id));
      });
      if (answer.digest !== seen || hold.signal.aborted) {
        hint.cancel();
        return answer;
      }
      await hint.heard;
    }
  } finally {
    hold.release();
  }
}

function nextHint(runnerId: string, signal: AbortSignal) {
  let cancel = () => {};
  const heard = new Promise<void>((resolve) => {
    const done = () => {
      signal.removeEventListener('abort', done);
      unsubscribe();
      resolve();
    };
    const unsubscribe = liveHub().subscribe(`r:${runnerId}`, done);
    signal.addEventListener('abort', done);
    cancel = done;
  });
  return { heard, cancel };
}
