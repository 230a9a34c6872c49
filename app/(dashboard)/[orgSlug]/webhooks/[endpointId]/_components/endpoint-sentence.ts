import type { EndpointDto } from '@/lib/deliveries/endpoints/schema';
import { DISABLE_AFTER_FAILING_DAYS } from '@/lib/deliveries/outbox/retry-policy';
import type { DeliveryDto } from '@/lib/deliveries/outbox/schema';
import { hostOf } from '../../_components/endpoint-state';

type Endpoint = Pick<EndpointDto, 'url' | 'disabledAt' | 'disabledReason' | 'failingSince'>;

/** What the endpoint does, why, and what would change it. `newest` is its latest delivery. */
export function endpointSentence(
  endpoint: Endpoint,
  newest: Pick<DeliveryDto, 'status'> | undefined,
): string {
  const host = hostOf(endpoint.url);
  if (endpoint.disabledAt) return `${disabledBecause(endpoint, host)} Nothing is sent to it.`;
  if (endpoint.failingSince) {
    return `${host} does not take what it is sent. After ${DISABLE_AFTER_FAILING_DAYS} days without a success it is disabled.`;
  }
  if (!newest) return 'Nothing has been sent yet. The next chain that ends sends the first event.';
  if (newest.status === 'cancelled') {
    return `${host} is enabled again and gets the next event.`;
  }
  return newest.status === 'delivered'
    ? `${host} takes what it is sent.`
    : `${host} is being sent its latest event.`;
}

function disabledBecause({ disabledReason }: Endpoint, host: string): string {
  switch (disabledReason) {
    case 'gone':
      return `${host} answered 410 Gone, so it was disabled.`;
    case 'failing_five_days':
      return `${host} failed for five days, so it was disabled. Mend the receiver, then enable it.`;
    default:
      return 'It was disabled by hand.';
  }
}
