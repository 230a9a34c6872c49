/** What deliveries counts: one entry for each metric. */

import { counter, OPEN } from '@/lib/platform/metrics/instruments';
import { NOTIFICATION_RESULTS } from './notification-labels';

export const notificationsSent = counter({
  name: 'tierwatch_notifications_total',
  help: 'Attempts to send a message, by kind of recipient and what followed.',
  labels: { channel: OPEN, result: NOTIFICATION_RESULTS },
});
