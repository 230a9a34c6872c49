/** A job is declared once: its name, what its payload holds, and how often it is tried. */
import { z } from 'zod';

export interface JobDefinition<Payload> {
  name: string;
  payload: z.ZodType<Payload>;
  /** The workers that handle it; the control plane's own queue by default. */
  queue?: 'deliveries';
  /** A repeat with the same id while the first waits is dropped, so a row is enqueued once. */
  id(payload: Payload): string;
  attempts: number;
  backoffMs: number;
}

function defineJob<Payload>(definition: JobDefinition<Payload>): JobDefinition<Payload> {
  return definition;
}

const organizationId = z.uuid();

export const settleAttemptJob = defineJob({
  name: 'attempt.settle',
  payload: z.object({ organizationId, attemptId: z.uuid() }),
  id: (payload) => `settle-${payload.attemptId}`,
  attempts: 5,
  backoffMs: 200,
});

export const deliverWebhookJob = defineJob({
  name: 'webhook.deliver',
  // Apart, so that receivers which hang hold up messages and never a chain.
  queue: 'deliveries',
  payload: z.object({ organizationId, deliveryId: z.uuid() }),
  id: (payload) => `delivery-${payload.deliveryId}`,
  attempts: 1,
  backoffMs: 0,
});

const nothing = z.object({}).loose();

export const startDueChainsJob = defineJob({
  name: 'chains.start_due',
  payload: nothing,
  id: () => 'start-due',
  attempts: 1,
  backoffMs: 0,
});
export const enqueueWaitingJob = defineJob({
  name: 'attempts.enqueue',
  payload: nothing,
  id: () => 'enqueue-waiting',
  attempts: 1,
  backoffMs: 0,
});
export const expireLeasesJob = defineJob({
  name: 'leases.expire',
  payload: nothing,
  id: () => 'expire-leases',
  attempts: 1,
  backoffMs: 0,
});
export const expireApprovalsJob = defineJob({
  name: 'approvals.expire',
  payload: nothing,
  id: () => 'expire-approvals',
  attempts: 1,
  backoffMs: 0,
});
export const endHostWaitsJob = defineJob({
  name: 'hosts.end_waits',
  payload: nothing,
  id: () => 'end-host-waits',
  attempts: 1,
  backoffMs: 0,
});
export const assignCheckersJob = defineJob({
  name: 'checks.keep',
  payload: nothing,
  id: () => 'keep-checkers',
  attempts: 1,
  backoffMs: 0,
});
export const expireResultsJob = defineJob({
  name: 'checks.expire',
  payload: nothing,
  id: () => 'expire-results',
  attempts: 1,
  backoffMs: 0,
});
export const judgeHeartbeatsJob = defineJob({
  name: 'heartbeats.judge',
  payload: nothing,
  id: () => 'judge-heartbeats',
  attempts: 1,
  backoffMs: 0,
});
export const advanceIncidentsJob = defineJob({
  name: 'incidents.advance',
  payload: nothing,
  id: () => 'advance-incidents',
  attempts: 1,
  backoffMs: 0,
});
export const advancePagingJob = defineJob({
  name: 'paging.advance',
  payload: nothing,
  id: () => 'advance-paging',
  attempts: 1,
  backoffMs: 0,
});
export const readCalendarsJob = defineJob({
  name: 'calendars.read',
  payload: nothing,
  id: () => 'read-calendars',
  attempts: 1,
  backoffMs: 0,
});
export const reportOfflineRunnersJob = defineJob({
  name: 'runners.report_offline',
  payload: nothing,
  id: () => 'report-offline',
  attempts: 1,
  backoffMs: 0,
});
export const endPausesJob = defineJob({
  name: 'pauses.end',
  payload: nothing,
  id: () => 'end-pauses',
  attempts: 1,
  backoffMs: 0,
});
export const sweepAlertsJob = defineJob({
  name: 'alerts.sweep',
  payload: nothing,
  id: () => 'sweep-alerts',
  attempts: 1,
  backoffMs: 0,
});
export const pingWatchdogJob = defineJob({
  name: 'watchdog.ping',
  payload: nothing,
  id: () => 'ping-watchdog',
  attempts: 1,
  backoffMs: 0,
});
export const pruneJob = defineJob({
  name: 'rows.prune',
  payload: nothing,
  id: () => 'prune',
  attempts: 1,
  backoffMs: 0,
});
export const writeAuditAnchorsJob = defineJob({
  name: 'audit.write_checkpoints',
  payload: nothing,
  id: () => 'write-audit-checkpoints',
  attempts: 1,
  backoffMs: 0,
});
