/** What escalations count: one entry for each metric. */

import { counter } from '@/lib/platform/metrics/instruments';

export const escalationSteps = counter({
  name: 'tierwatch_escalation_steps_total',
  help: 'Steps of escalations, with repeats. Result skipped: not sent, since a later one was due as well.',
  labels: { result: ['sent', 'reached_nobody', 'skipped'] },
});

export const escalationFailures = counter({
  name: 'tierwatch_escalation_failures_total',
  help: 'Escalations that could not be advanced because of an error, and are tried again.',
  labels: {},
});
