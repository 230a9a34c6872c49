/** Which value of a metric's label an attempt to send a message is counted under. */

import type { DeliveryDecision } from './retry-policy';

/** `failed`: there is no further attempt. `disabled`: this one disabled the recipient. */
export const NOTIFICATION_RESULTS = ['delivered', 'retried', 'failed', 'disabled'] as const;
type NotificationResult = (typeof NOTIFICATION_RESULTS)[number];

export function notificationResult({ delivery, recipient }: DeliveryDecision): NotificationResult {
  if (recipient.kind === 'disable') return 'disabled';
  if (delivery.kind === 'delivered') return 'delivered';
  return delivery.kind === 'retry' ? 'retried' : 'failed';
}

/** @param channelKind null unless the recipient is a notification channel */
export function recipientKind(
  { endpointId }: { endpointId: string | null },
  channelKind: string | null,
): string {
  if (endpointId) return 'webhook';
  return channelKind ?? 'admin_mail';
}
