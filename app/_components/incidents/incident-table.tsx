import { type IncidentDto, waitsForHuman } from '@/lib/incidents/view';
import { microsOf } from '@/lib/platform/format/cost';
import { Cost, Unknown } from '../status/cost';
import { Duration } from '../status/duration';
import { StatusBadge } from '../status/status-badge';
import { Time } from '../status/time';
import { type Column, DataTable } from '../ui/table';

interface IncidentTableProps {
  incidents: readonly IncidentDto[];
  orgSlug: string;
  /** On pages of the whole organization. */
  showsProject: boolean;
}

export function IncidentTable({ incidents, orgSlug, showsProject }: IncidentTableProps) {
  const columns = showsProject ? COLUMNS : COLUMNS.filter((column) => column.header !== 'Project');
  return (
    <DataTable
      label="Incidents"
      columns={columns}
      rows={incidents}
      rowKey={(incident) => incident.id}
      rowHref={(incident) =>
        `/${orgSlug}/projects/${incident.project.slug}/incidents/${incident.number}`
      }
    />
  );
}

/** On phones, facts are in two columns below the state, at the same place in every card. */
const HALF = 'max-md:basis-[calc(50%-4px)] max-md:text-left';

const COLUMNS: Column<IncidentDto>[] = [
  {
    header: '#',
    phone: 'title',
    cell: (incident) => (
      <span className="whitespace-nowrap tabular-nums">
        <span className="md:sr-only">Incident </span>#{incident.number}
      </span>
    ),
    className: 'w-14 max-md:order-0',
  },
  {
    header: 'Project',
    cell: (incident) => incident.project.name,
    className: `max-w-48 break-words ${HALF}`,
  },
  {
    header: 'What',
    cell: (incident) => <span className="break-words">{incident.title}</span>,
    className: 'md:min-w-48 max-md:order-3 max-md:basis-full',
  },
  {
    header: 'State',
    phone: 'status',
    cell: (incident) => <IncidentState incident={incident} />,
    className: 'max-md:order-2 max-md:basis-full',
  },
  {
    header: 'Began',
    cell: (incident) => <Time at={incident.startedAt} isPlain />,
    className: HALF,
  },
  {
    header: 'Lasted',
    align: 'end',
    cell: (incident) => <OutageLength incident={incident} />,
    className: HALF,
  },
  {
    header: 'Chains',
    align: 'end',
    cell: ({ chains }) =>
      chains.length > 0 ? chains.length : <Unknown reason="No chain looked at it" />,
    className: HALF,
  },
  {
    header: 'Cost',
    align: 'end',
    phone: 'aside',
    className: 'max-md:order-1',
    cell: ({ costUsd }) => <Cost micros={microsOf(costUsd)} form="final" />,
  },
];

/** Its state, and what is missing until it is over. */
export function IncidentState({
  incident,
}: {
  incident: Pick<
    IncidentDto,
    'state' | 'needsHumanSince' | 'acknowledgedBy' | 'silencedBy' | 'resolution' | 'mergedInto'
  >;
}) {
  const { state, acknowledgedBy, silencedBy, resolution, mergedInto } = incident;
  const why = waitsForHuman(incident)
    ? 'needs a human'
    : state === 'acknowledged'
      ? `by ${acknowledgedBy ?? 'someone'}`
      : state === 'resolved' && resolution
        ? mergedInto
          ? `merged into #${mergedInto.number}`
          : RESOLUTION_WORDS[resolution]
        : undefined;
  const reasons = [why, silencedBy === null ? undefined : 'silenced'];
  const reason = reasons.filter((each) => each !== undefined).join(', ') || undefined;
  return <StatusBadge kind="incident" state={state} reason={reason} />;
}

const RESOLUTION_WORDS = {
  fixed: 'after a fix',
  recovered: 'without a fix',
  removed: 'not checked anymore',
  manual: 'by a person',
  merged: 'merged',
  reported: 'reported, not checked',
} as const;

/** From the first failure until everything was well; still counting while it isn't. */
export function OutageLength({
  incident: { startedAt, verifyingSince, resolvedAt },
}: {
  incident: Pick<IncidentDto, 'startedAt' | 'verifyingSince' | 'resolvedAt'>;
}) {
  return (
    <Duration from={startedAt} to={verifyingSince ?? resolvedAt} className="whitespace-nowrap" />
  );
}
