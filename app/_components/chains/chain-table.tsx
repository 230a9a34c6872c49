import { HopLine, type HopMode } from '@/app/_components/status/hop-line';
import { TierMark } from '@/app/_components/status/tier-mark';
import { TRIGGERS } from '@/lib/engine/triggers';
import type { ChainItem } from '@/lib/insight/chains/schema';
import { microsOf } from '@/lib/platform/format/cost';
import { Cost, Unknown } from '../status/cost';
import { Duration } from '../status/duration';
import { ModifierChip, StatusBadge } from '../status/status-badge';
import { Time } from '../status/time';
import { type Column, DataTable } from '../ui/table';

interface ChainTableProps {
  chains: readonly ChainItem[];
  orgSlug: string;
  /** On pages of the whole organization. */
  showsProject: boolean;
}

export function ChainTable({ chains, orgSlug, showsProject }: ChainTableProps) {
  const columns = showsProject ? COLUMNS : COLUMNS.filter((column) => column.header !== 'Project');
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

/** On phones, facts are in two columns below the outcome, at the same place in every card. */
const HALF = 'max-md:basis-[calc(50%-4px)] max-md:text-left';

const COLUMNS: Column<ChainItem>[] = [
  {
    header: '#',
    phone: 'title',
    cell: (chain) => (
      <span className="whitespace-nowrap tabular-nums">
        <span className="md:sr-only">Chain </span>#{chain.number}
      </span>
    ),
    className: 'w-16 max-md:order-0',
  },
  {
    header: 'Project',
    cell: (chain) => chain.project.name,
    className: `max-w-48 break-words ${HALF}`,
  },
  {
    header: 'Outcome',
    phone: 'status',
    cell: (chain) => <Outcome chain={chain} />,
    className: 'md:min-w-64 max-md:order-2 max-md:basis-full',
  },
  {
    header: 'Tiers',
    cell: (chain) =>
      chain.sessions.length > 0 ? (
        <TierPath sessions={chain.sessions} />
      ) : (
        <Unknown reason="No session was started" />
      ),
    className: HALF,
  },
  {
    header: 'Services',
    cell: (chain) =>
      chain.servicesAffected.length > 0 ? (
        <span className="break-words md:line-clamp-2">{chain.servicesAffected.join(', ')}</span>
      ) : (
        <Unknown reason="No service was affected" />
      ),
    className: 'max-w-60 max-md:max-w-none max-md:basis-full max-md:order-3',
  },
  {
    header: 'Trigger',
    cell: (chain) => (
      <span className="inline-flex items-center gap-2 whitespace-nowrap">
        {TRIGGERS[chain.trigger].label}
        {chain.dryRun ? <ModifierChip modifier="dry_run" /> : null}
      </span>
    ),
    className: HALF,
  },
  {
    header: 'Started',
    cell: (chain) => <Time at={chain.startedAt ?? chain.createdAt} isPlain />,
    className: HALF,
  },
  {
    header: 'Took',
    align: 'end',
    cell: (chain) =>
      chain.startedAt ? (
        <Duration from={chain.startedAt} to={chain.endedAt} className="whitespace-nowrap" />
      ) : (
        <Unknown reason={chain.endedAt ? 'It never started' : 'It hasn’t started'} />
      ),
    className: HALF,
  },
  {
    header: 'Cost',
    align: 'end',
    phone: 'aside',
    className: 'max-md:order-1',
    cell: (chain) => (
      <Cost
        micros={chain.sessions.length === 0 ? 0 : microsOf(chain.totalCostUsd)}
        form={chain.outcome === null ? 'running' : chain.isCostEstimated ? 'estimate' : 'final'}
      />
    ),
  },
];

const MODES: readonly HopMode[] = ['resume', 'handoff', 'fresh'];

/** The tiers that a chain went through and how each continued the one before: T1–T2=T3. */
export function TierPath({ sessions }: { sessions: ChainItem['sessions'] }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      {sessions.map((session, index) => (
        <span key={session.id} className="inline-flex items-center gap-1.5">
          {index > 0 ? (
            <HopLine
              mode={MODES.find((mode) => mode === session.mechanism) ?? 'wait'}
              length={18}
            />
          ) : null}
          <TierMark tier={session.tier >= 3 ? 3 : session.tier === 2 ? 2 : 1} />
        </span>
      ))}
    </span>
  );
}

interface OutcomeProps {
  chain: Pick<ChainItem, 'status' | 'outcome' | 'highestTier' | 'statusText' | 'acknowledgement'>;
  /** Leaves out the reason, for places that show the sentence themselves. */
  isBare?: boolean;
}

/** How a chain ended, or where it stands; a wait, a skip and a bad end say why. */
export function Outcome({ chain, isBare }: OutcomeProps) {
  const state = chain.outcome ?? (chain.status === 'ended' ? 'failed' : chain.status);
  const isRunning = chain.outcome === null && chain.highestTier > 0;
  return (
    <StatusBadge
      kind="chain"
      state={state}
      detail={isRunning ? `tier ${chain.highestTier}` : null}
      reason={isBare ? undefined : reasonOf(chain)}
    />
  );
}

function reasonOf({ outcome, status, statusText, acknowledgement }: OutcomeProps['chain']) {
  if (acknowledgement) return `acknowledged by ${acknowledgement.by}`;
  if (outcome === 'healthy' || outcome === 'fixed' || status === 'running') return undefined;
  return statusText ? <span className="line-clamp-2">{statusText}</span> : undefined;
}
