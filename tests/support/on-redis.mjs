/**
 * The contract of the queues: what is enqueued, taken, scheduled, kept apart and survived. Tests that run
 * on Redis too; all others need a queue, and it doesn't matter on which backend.
 */
export const ON_REDIS = [
  'tests/integration/engine/due-slots.test.ts',
  'tests/integration/maintenance/redis-outage.test.ts',
  'tests/integration/maintenance/schedules.test.ts',
  'tests/integration/runner/queue.test.ts',
  'tests/integration/runners/door.test.ts',
  'tests/integration/tenancy/queue-login.test.ts',
  'tests/integration/tenancy/roles.test.ts',
  'tests/integration/webhooks/fair-deliveries.test.ts',
];
