import { sealStoredUrls } from '@/lib/deliveries/endpoints/manage-endpoints';
import { pruneDeliveries } from '@/lib/deliveries/manage-deliveries';
import { pruneSessions } from '@/lib/engine/retention';
import { endRunnerPauses } from '@/lib/fleet/runner-pauses';
import { pruneSignIns } from '@/lib/identity/auth/auth-sessions';
import { endOrganizationPauses } from '@/lib/identity/organizations/service';
import { pruneCheckResults } from '@/lib/monitoring/sweep';
import { pruneIdempotencyKeys } from '@/lib/platform/http/idempotency';
import { endProjectPauses } from '@/lib/projects/pauses';
import { pruneSignals } from '@/lib/signals/sweep';
import { pruneProblems } from '@/lib/watchdog/get-health';

/** Ends every pause whose time is over, so that whatever asks finds either a pause or none. */
export async function endPauses(now = new Date()): Promise<void> {
  await endOrganizationPauses(now);
  await endProjectPauses(now);
  await endRunnerPauses(now);
}

/** Deletes rows whose retention has passed. Each module knows its own. */
export async function pruneRows(now = new Date()): Promise<void> {
  // Those that a process of an earlier version has saved since this one started.
  await sealStoredUrls();
  await pruneSessions(now);
  await pruneDeliveries(now);
  await pruneCheckResults(now);
  await pruneSignals(now);
  await pruneSignIns(now);
  await pruneIdempotencyKeys(now);
  await pruneProblems(now);
}
