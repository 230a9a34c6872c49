import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { type Column, DataTable } from '@/app/_components/ui/table';
import type { EndpointDto } from '@/lib/deliveries/endpoints/schema';
import { endpointState } from './endpoint-state';

interface EndpointTableProps {
  orgSlug: string;
  endpoints: readonly EndpointDto[];
  /** By `prj_…`. */
  projectNames: ReadonlyMap<string, string>;
}

export function EndpointTable({ orgSlug, endpoints, projectNames }: EndpointTableProps) {
  return (
    <DataTable
      label="Webhook endpoints"
      columns={columns(projectNames)}
      rows={endpoints}
      rowKey={(endpoint) => endpoint.id}
      rowHref={(endpoint) => `/${orgSlug}/webhooks/${endpoint.id}`}
    />
  );
}

function columns(projectNames: ReadonlyMap<string, string>): Column<EndpointDto>[] {
  return [
    {
      header: 'Endpoint',
      phone: 'title',
      className: 'md:w-full md:max-w-0',
      cell: ({ url, description }) => (
        <>
          <span className="block truncate">{url.replace(/^https:\/\//, '')}</span>
          {description ? (
            <span className="block truncate font-normal text-text-2">{description}</span>
          ) : null}
        </>
      ),
    },
    {
      header: 'State',
      phone: 'status',
      cell: (endpoint) => <StatusBadge kind="webhook_endpoint" state={endpointState(endpoint)} />,
    },
    {
      header: 'Problem',
      className: 'md:whitespace-nowrap',
      cell: (endpoint) =>
        endpointState(endpoint) === 'active' ? (
          <span className="text-text-3">None</span>
        ) : (
          <StateReason endpoint={endpoint} />
        ),
    },
    {
      header: 'Projects',
      className: 'md:whitespace-nowrap',
      cell: ({ projectId }) =>
        projectId ? (projectNames.get(projectId) ?? 'Deleted project') : 'All',
    },
    {
      header: 'Events',
      className: 'md:whitespace-nowrap',
      cell: ({ eventTypes }) => <code className="text-code">{eventTypes.join(', ')}</code>,
    },
  ];
}

/** Why it is in this state; null where the word says it all. */
export function StateReason({ endpoint }: { endpoint: EndpointDto }) {
  if (endpoint.disabledAt) {
    const why = endpoint.disabledReason === 'gone' ? 'answered 410 Gone, ' : '';
    return (
      <>
        {why}since <Time at={endpoint.disabledAt} form="day" isPlain />
      </>
    );
  }
  if (!endpoint.failingSince) return null;
  return (
    <>
      since <Time at={endpoint.failingSince} form="day" isPlain />
    </>
  );
}
