import { PageHeader } from '@/app/_components/shell/page-header';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { NeedsRole } from '@/app/(dashboard)/[orgSlug]/_components/needs-role';
import { refusalOf } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import type { EndpointDto } from '@/lib/deliveries/endpoints/schema';
import { DISABLE_AFTER_FAILING_DAYS } from '@/lib/deliveries/outbox/retry-policy';
import type { DeliveryDto } from '@/lib/deliveries/outbox/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { endpointState, hostOf } from '../../_components/endpoint-state';
import { StateReason } from '../../_components/endpoint-table';
import { EditEndpoint, EndpointMenu, SendTest } from './endpoint-acts';

interface EndpointHeaderProps {
  scope: TenantScope;
  endpoint: EndpointDto;
  /** Name of the one project that it is for; null for all. */
  projectName: string | null;
  newest: DeliveryDto | undefined;
}

export async function EndpointHeader(props: EndpointHeaderProps) {
  const { scope, endpoint, projectName, newest } = props;
  const {
    id,
    url,
    description,
    eventTypes,
    projectId,
    disabledAt,
    previousSecretUntil,
    secretHint,
  } = endpoint;
  const slug = scope.organizationSlug;
  const isDisabled = disabledAt !== null;
  return (
    <PageHeader
      title={<span className="wrap-anywhere">{url.replace(/^https:\/\//, '')}</span>}
      marks={
        <StatusBadge
          kind="webhook_endpoint"
          state={endpointState(endpoint)}
          reason={<StateReason endpoint={endpoint} />}
        />
      }
      meta={
        <span>
          {description ? `${description} · ` : null}
          {projectName ? `only ${projectName}` : 'all projects'} ·{' '}
          <code className="text-code">{eventTypes.join(', ')}</code> · secret{' '}
          <code className="text-code">whsec_••••{secretHint}</code>
          {previousSecretUntil ? (
            <>
              , and the previous one until <Time at={previousSecretUntil} form="day" />
            </>
          ) : null}
        </span>
      }
      sentence={endpointSentence(endpoint, newest)}
      actions={
        <NeedsRole refusal={await refusalOf(scope, 'admin')} label="Send test event" look="primary">
          <EndpointMenu
            organizationSlug={slug}
            endpointId={id}
            host={hostOf(url)}
            isDisabled={isDisabled}
            isRotating={previousSecretUntil !== null}
          />
          <EditEndpoint
            organizationSlug={slug}
            endpoint={{ id, url, description, eventTypes, projectId }}
          />
          <SendTest organizationSlug={slug} endpointId={id} isDisabled={isDisabled} />
        </NeedsRole>
      }
    />
  );
}

type Endpoint = Pick<EndpointDto, 'url' | 'disabledAt' | 'disabledReason' | 'failingSince'>;

/** What the endpoint does, why, and what would change it. `newest` is its latest delivery. */
export function endpointSentence(
  endpoint: Endpoint,
  newest: Pick<DeliveryDto, 'status'> | undefined,
): string {
  const host = hostOf(endpoint.url);
  if (endpoint.disabledAt) return `${disabledBecause(endpoint, host)} Nothing is sent to it.`;
  if (endpoint.failingSince) {
    return `Deliveries to ${host} are failing. After ${DISABLE_AFTER_FAILING_DAYS} days without a success, it is disabled.`;
  }
  if (!newest) return 'Nothing has been sent yet. The next chain that ends sends the first event.';
  if (newest.status === 'cancelled') {
    return `${host} is enabled again and receives the next event.`;
  }
  return newest.status === 'delivered'
    ? `Deliveries to ${host} are succeeding.`
    : `The latest event is being sent to ${host}.`;
}

function disabledBecause({ disabledReason }: Endpoint, host: string): string {
  switch (disabledReason) {
    case 'gone':
      return `${host} responded 410 Gone, so it was disabled.`;
    case 'failing_five_days':
      return `${host} failed for five days, so it was disabled. Fix the receiver, then enable it.`;
    default:
      return 'It was disabled manually.';
  }
}
