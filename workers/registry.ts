import type { JobDefinition } from '@/lib/platform/queue/jobs';
import {
  deliverWebhookJob,
  endPausesJob,
  expireLeasesJob,
  pruneJob,
  reportOfflineRunnersJob,
  ringDoorbellsJob,
  settleAttemptJob,
  startDueChainsJob,
} from '@/lib/platform/queue/jobs';
import { expireLeases } from './attempts/expire-leases';
import { ringDoorbells } from './attempts/ring-doorbells';
import { settleAttempt } from './attempts/settle-attempt';
import { startDueChains } from './chains/start-due-chains';
import { endPauses } from './maintenance/end-pauses';
import { pruneRows } from './maintenance/prune-rows';
import { reportOfflineRunners } from './notifications/report-offline-runners';
import { deliverWebhook } from './webhooks/deliver-webhook';

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
  handles(settleAttemptJob, settleAttempt),
  handles(deliverWebhookJob, deliverWebhook),
  handles(startDueChainsJob, startDueChains),
  handles(ringDoorbellsJob, ringDoorbells),
  handles(expireLeasesJob, expireLeases),
  handles(reportOfflineRunnersJob, reportOfflineRunners),
  handles(endPausesJob, endPauses),
  handles(pruneJob, pruneRows),
];

/** @throws Error for a job that nobody declared */
export async function runJob(name: string, payload: unknown): Promise<void> {
  const registered = HANDLERS.find((each) => each.name === name);
  if (!registered) throw new Error(`No handler is registered for the job ${name}.`);
  await registered.run(payload);
}
