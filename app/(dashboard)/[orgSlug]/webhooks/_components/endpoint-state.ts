import type { StateOf } from '@/app/_components/status/states';
import type { EndpointDto } from '@/lib/deliveries/endpoints/schema';

/** How the endpoint's status is shown. Only five days of failures have a word of their own. */
export function endpointState(
  endpoint: Pick<EndpointDto, 'disabledAt' | 'disabledReason' | 'failingSince'>,
): StateOf<'webhook_endpoint'> {
  if (endpoint.disabledAt) {
    return endpoint.disabledReason === 'failing_five_days' ? 'disabled_auto' : 'disabled';
  }
  return endpoint.failingSince ? 'failing' : 'active';
}

/** Without path and query, which may hold a secret of the receiver. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}

/** The list in one sentence; trouble first. */
export function endpointsSentence(
  endpoints: readonly Pick<EndpointDto, 'url' | 'disabledAt' | 'disabledReason' | 'failingSince'>[],
): string {
  if (endpoints.length === 0)
    return 'No endpoint receives events. No webhook is sent when a chain ends.';
  const failing = endpoints.filter((endpoint) => endpointState(endpoint) === 'failing');
  const disabled = endpoints.filter((endpoint) => endpoint.disabledAt);
  const parts = [
    trouble(failing, 'is failing', 'are failing'),
    trouble(disabled, 'is disabled and receives nothing', 'are disabled and receive nothing'),
  ].filter((part) => part !== null);
  if (parts.length > 0) return `${parts.join('; ')}.`;
  return endpoints.length === 1
    ? 'Deliveries to the endpoint are succeeding.'
    : `All ${endpoints.length} endpoints are receiving deliveries.`;
}

function trouble(
  endpoints: readonly { url: string }[],
  one: string,
  several: string,
): string | null {
  const [first] = endpoints;
  if (!first) return null;
  return endpoints.length === 1
    ? `${hostOf(first.url)} ${one}`
    : `${endpoints.length} endpoints ${several}`;
}
