/** What alerts counts: one entry for each metric. */

import { counter } from '@/lib/platform/metrics/instruments';
import { REJECTIONS } from './request-schema';
import { SOURCE_KINDS } from './source-schema';

export const signalRequests = counter({
  name: 'tierwatch_alert_requests_total',
  help: 'Requests of known alert sources: accepted ones, repeats included, and rejected ones by reason.',
  labels: { source_type: SOURCE_KINDS, result: ['accepted', ...REJECTIONS] },
});
