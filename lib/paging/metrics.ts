/** What paging counts: one entry for each metric. */

import { counter } from '@/lib/platform/metrics/instruments';

/** Under the former names, too, which alert rules may have. */
const steps = (['paging_steps', 'escalation_steps'] as const).map((name) =>
  counter({
    name: `tierwatch_${name}_total`,
    help: 'Steps of paging, with repeats. Result skipped: not sent, since a later one was due as well.',
    labels: { result: ['sent', 'reached_nobody', 'skipped'] },
  }),
);
const failures = (['paging_failures', 'escalation_failures'] as const).map((name) =>
  counter({
    name: `tierwatch_${name}_total`,
    help: 'Runs of paging that could not be advanced because of an error, and are tried again.',
    labels: {},
  }),
);

export function countStep(result: 'sent' | 'reached_nobody' | 'skipped'): void {
  for (const each of steps) each.add({ result });
}

export function countFailure(): void {
  for (const each of failures) each.add({});
}
