import { deliver } from '@/lib/deliveries/deliver';
import { settleAttempt } from '@/lib/engine/settle';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { deliverWebhookJob, type JobDefinition, settleAttemptJob } from '@/lib/platform/queue/jobs';
import { recordJobEnd } from '@/lib/watchdog/job-runs';
import { findRecurring } from './schedules';

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
];

/** @throws Error for an unknown job */
export async function runJob(name: string, payload: unknown): Promise<void> {
  const recurring = findRecurring(name);
  if (!recurring) {
    const registered = HANDLERS.find((each) => each.name === name);
    if (!registered) throw new Error(`No handler is registered for the job ${name}.`);
    await registered.run(payload);
    return;
  }
  // Its end is recorded, so that a missed slot is noticed.
  const end = async (hasFailed: boolean) => {
    if (recurring.everyMs !== null) await recordJobEnd(name, hasFailed);
  };
  try {
    await recurring.run();
  } catch (error) {
    await end(true);
    throw error;
  }
  await end(false);
}
