import { deliver } from '@/lib/deliveries/deliver';
import { enqueueDueDeliveries } from '@/lib/deliveries/recover-deliveries';
import { startDueChains } from '@/lib/engine/chains/start-chain';
import { settleAttempt } from '@/lib/engine/settle';
import { endHostWaits } from '@/lib/engine/sweep/end-host-waits';
import { expireApprovals } from '@/lib/engine/sweep/expire-approvals';
import { enqueueWaiting, expireLeases } from '@/lib/engine/sweep/sweep';
import { reportOfflineRunners } from '@/lib/fleet/offline';
import { writeAuditAnchors } from '@/lib/identity/audit/write-anchors';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { advanceIncidents } from '@/lib/incidents/sweep';
import { judgeHeartbeats } from '@/lib/monitoring/judge-heartbeats';
import { assignCheckers, expireResults, watchBlocks } from '@/lib/monitoring/sweep';
import { advancePaging } from '@/lib/paging/advance-paging';
import { readDueCalendars } from '@/lib/paging/read-calendars';
import {
  advanceIncidentsJob,
  advancePagingJob,
  assignCheckersJob,
  deliverWebhookJob,
  endHostWaitsJob,
  endPausesJob,
  enqueueWaitingJob,
  expireApprovalsJob,
  expireLeasesJob,
  expireResultsJob,
  type JobDefinition,
  judgeHeartbeatsJob,
  pingWatchdogJob,
  pruneJob,
  readCalendarsJob,
  reportOfflineRunnersJob,
  settleAttemptJob,
  startDueChainsJob,
  sweepAlertsJob,
  writeAuditAnchorsJob,
} from '@/lib/platform/queue/jobs';
import { restoreLostSchedules } from '@/lib/projects/schedules/lost-rows';
import { sweepSignals } from '@/lib/signals/sweep';
import { recordJobEnd } from '@/lib/watchdog/job-runs';
import { pingWatchdog } from '@/lib/watchdog/ping';
import { endPauses, pruneRows } from './maintenance';
import { isRecurring } from './schedules';

interface Registered {
  name: string;
  run(payload: unknown): Promise<unknown>;
}

/** Binds a job to its handler; the payload is parsed before the handler sees it. */
function handles<Payload>(
  job: JobDefinition<Payload>,
  handler: (payload: Payload) => Promise<unknown>,
): Registered {
  return { name: job.name, run: (payload) => handler(job.payload.parse(payload)) };
}

const HANDLERS: readonly Registered[] = [
  handles(settleAttemptJob, ({ organizationId, attemptId }) =>
    settleAttempt(scopeOfSystem(organizationId), attemptId),
  ),
  handles(deliverWebhookJob, ({ organizationId, deliveryId }) =>
    deliver(scopeOfSystem(organizationId, 'Webhooks'), deliveryId),
  ),
  handles(startDueChainsJob, () => startDueChains()),
  handles(enqueueWaitingJob, async () => {
    await enqueueWaiting();
    await enqueueDueDeliveries();
  }),
  handles(expireLeasesJob, () => expireLeases()),
  handles(expireApprovalsJob, () => expireApprovals()),
  handles(endHostWaitsJob, () => endHostWaits()),
  handles(assignCheckersJob, () => assignCheckers()),
  handles(expireResultsJob, async () => {
    await expireResults();
    await watchBlocks();
  }),
  handles(judgeHeartbeatsJob, () => judgeHeartbeats()),
  handles(advanceIncidentsJob, () => advanceIncidents()),
  handles(advancePagingJob, () => advancePaging()),
  handles(readCalendarsJob, () => readDueCalendars()),
  handles(reportOfflineRunnersJob, () => reportOfflineRunners()),
  handles(sweepAlertsJob, () => sweepSignals()),
  handles(endPausesJob, () => endPauses()),
  handles(writeAuditAnchorsJob, () => writeAuditAnchors()),
  handles(pingWatchdogJob, () => pingWatchdog()),
  handles(pruneJob, async () => {
    await restoreLostSchedules();
    await pruneRows();
  }),
];

/** @throws Error for an unknown job */
export async function runJob(name: string, payload: unknown): Promise<void> {
  const registered = HANDLERS.find((each) => each.name === name);
  if (!registered) throw new Error(`No handler is registered for the job ${name}.`);
  if (!isRecurring(name)) {
    await registered.run(payload);
    return;
  }
  try {
    await registered.run(payload);
  } catch (error) {
    await recordJobEnd(name, true);
    throw error;
  }
  await recordJobEnd(name, false);
}
