/** What the watchdog counts. */

import { counter } from '@/lib/platform/metrics/instruments';

export const watchdogPings = counter({
  name: 'tierwatch_watchdog_pings_total',
  help: 'Requests to TIERWATCH_WATCHDOG_URL by result. Result withheld: not sent, since something is wrong.',
  labels: { result: ['sent', 'failed', 'withheld'] },
});
