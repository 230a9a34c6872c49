import { PageHeader } from '@/app/_components/shell/page-header';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { NeedsRole } from '@/app/(dashboard)/[orgSlug]/_components/needs-role';
import { refusalOf } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import type { EndpointDto } from '@/lib/deliveries/endpoints/schema';
import type { DeliveryDto } from '@/lib/deliveries/outbox/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { endpointState, hostOf } from '../../_components/endpoint-state';
import { StateReason } from '../../_components/endpoint-table';
import { EditEndpoint } from './edit-endpoint';
import { EndpointMenu } from './endpoint-menu';
import { endpointSentence } from './endpoint-sentence';
import { SendTest } from './send-test';

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
              , and the one before until <Time at={previousSecretUntil} form="day" />
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
