import { TierPath } from '@/app/(dashboard)/[orgSlug]/projects/[projectSlug]/_components/tier-path';
import { TRIGGERS } from '@/lib/engine/triggers';
import type { ListedChain } from '@/lib/insight/chains/schema';
import { microsOf } from '@/lib/platform/format/cost';
import { Cost, Unknown } from '../status/cost';
import { Duration } from '../status/duration';
import { ModifierChip } from '../status/status-badge';
import { Time } from '../status/time';
import { type Column, DataTable } from '../ui/table';
import { Outcome } from './outcome';

interface ChainTableProps {
  chains: readonly ListedChain[];
  orgSlug: string;
  /** On pages of the whole organization. */
  showsProject: boolean;
}

export function ChainTable({ chains, orgSlug, showsProject }: ChainTableProps) {
  const columns = showsProject ? COLUMNS : COLUMNS.filter((column) => column.key !== 'project');
  return (
    <DataTable
      label="Chains"
      columns={columns}
      rows={chains}
      rowKey={(chain) => chain.id}
      rowHref={(chain) => `/${orgSlug}/projects/${chain.project.slug}/chains/${chain.number}`}
    />
  );
}

const COLUMNS: Column<ListedChain>[] = [
  {
    key: 'number',
    header: '#',
    phone: 'title',
    cell: (chain) => <span className="tabular-nums">#{chain.number}</span>,
    className: 'w-16',
  },
  {
    key: 'project',
    header: 'Project',
    cell: (chain) => chain.project.name,
    className: 'max-w-48 break-words',
  },
  {
    key: 'outcome',
    header: 'Outcome',
    phone: 'status',
    cell: (chain) => <Outcome chain={chain} fix={chain.fix} />,
    className: 'md:min-w-64',
  },
  {
    key: 'tiers',
    header: 'Tiers',
    cell: (chain) =>
      chain.sessions.length > 0 ? (
        <TierPath sessions={chain.sessions} />
      ) : (
        <Unknown reason="No session was started" />
      ),
  },
  {
    key: 'services',
    header: 'Services',
    cell: (chain) =>
      chain.servicesAffected.length > 0 ? (
        <span className="line-clamp-2 break-words">{chain.servicesAffected.join(', ')}</span>
      ) : (
        <Unknown reason="No service was affected" />
      ),
    className: 'max-w-60',
  },
  {
    key: 'trigger',
    header: 'Trigger',
    cell: (chain) => (
      <span className="inline-flex items-center gap-2 whitespace-nowrap">
        {TRIGGERS[chain.trigger].label}
        {chain.dryRun ? <ModifierChip modifier="dry_run" /> : null}
      </span>
    ),
  },
  {
    key: 'started',
    header: 'Started',
    cell: (chain) => <Time at={chain.startedAt ?? chain.createdAt} isPlain />,
  },
  {
    key: 'took',
    header: 'Took',
    align: 'end',
    cell: (chain) =>
      chain.startedAt ? (
        <Duration from={chain.startedAt} to={chain.endedAt} className="whitespace-nowrap" />
      ) : (
        <Unknown reason={chain.endedAt ? 'It never started' : 'It has not started'} />
      ),
  },
  {
    key: 'cost',
    header: 'Cost',
    align: 'end',
    phone: 'aside',
    cell: (chain) => (
      <Cost
        micros={chain.sessions.length === 0 ? 0 : microsOf(chain.totalCostUsd)}
        form={chain.outcome === null ? 'running' : chain.isCostEstimated ? 'estimate' : 'final'}
      />
    ),
  },
];
