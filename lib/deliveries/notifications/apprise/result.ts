import { httpSendResult, type SendResult } from '@/lib/deliveries/webhooks/deliveries/send-result';
import type { OutboundResult } from '@/lib/platform/outbound-http/result';

/**
 * What an Apprise API server's answer means. 204 says that there was nobody to notify, by a key or
 * a tag that matches nothing; 424 that at least one of the services did not take it.
 */
export function appriseSendResult(result: OutboundResult): SendResult {
  const sent = { ...httpSendResult(result), isGone: false };
  if (!result.ok) return sent;
  if (result.status === 204) {
    return {
      ...sent,
      isTaken: false,
      error: 'nobody_notified',
      text: 'The Apprise server notified nobody: no configuration or service fits the key and tags.',
    };
  }
  if (result.status === 424) {
    const details = result.bodyText ? ` It answered: ${result.bodyText}` : '';
    return {
      ...sent,
      error: 'service_failed',
      text: `The Apprise server could not reach every service behind it.${details}`,
    };
  }
  return sent;
}
