/** What monitoring counts: one entry for each metric. */

import { counter, histogram } from '@/lib/platform/metrics/instruments';
import { CHECK_TYPES } from '@/lib/protocol/checks/kinds';
import { SERVICE_STATUSES } from '@/lib/protocol/spec';

export const checkResults = counter({
  name: 'tierwatch_check_results_total',
  help: 'Results of checks without an agent, by kind of check. Result unknown: the check could not be performed.',
  labels: { kind: CHECK_TYPES, result: SERVICE_STATUSES },
});

export const checkDuration = histogram({
  name: 'tierwatch_check_duration_seconds',
  help: 'Response times that checks without an agent measured.',
  labels: { kind: CHECK_TYPES },
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
});
