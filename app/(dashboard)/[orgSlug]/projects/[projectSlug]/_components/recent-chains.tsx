import { TierPath } from '@/app/_components/chains/chain-table';
import { Cost, Unknown } from '@/app/_components/status/cost';
import { Duration } from '@/app/_components/status/duration';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { Link } from '@/app/_components/ui/link';
import { type Column, DataTable } from '@/app/_components/ui/table';
import { TRIGGERS } from '@/lib/engine/triggers';
import type { ChainItem } from '@/lib/insight/chains/schema';

interface RecentChainsProps {
  /** Of the project: `/acme/projects/checkout`. */
  root: string;
  chains: readonly ChainItem[];
}

export function RecentChains({ root, chains }: RecentChainsProps) {
  return (
    <Card
      title="Recent chains"
      isFlush
      actions={
        <Link href={`${root}/chains`} className="link text-ui">
          All chains
        </Link>
      }
    >
      <DataTable
        label="Recent chains"
        columns={columns(chains)}
        rows={chains}
        rowKey={(chain) => chain.id}
        rowHref={(chain) => `${root}/chains/${chain.number}`}
        isFlush
      />
    </Card>
  );
}

function columns(_chains: readonly ChainItem[]): Column<ChainItem>[] {
  return [
    {
      header: 'Chain',
      phone: 'title',
      cell: (chain) => <span className="tabular-nums">#{chain.number}</span>,
      className: 'w-16 max-md:order-none max-md:w-auto max-md:flex-none',
    },
    {
      header: 'Outcome',
      phone: 'status',
      className: 'max-md:order-1 max-md:min-w-0 max-md:flex-1',
      cell: (chain) => (
        <StatusBadge
          kind="chain"
          state={chain.outcome ?? (chain.status === 'ended' ? 'failed' : chain.status)}
          detail={
            chain.outcome === null && chain.highestTier > 0 ? `tier ${chain.highestTier}` : null
          }
          reason={reasonOf(chain)}
        />
      ),
    },
    {
      header: 'Tiers',
      cell: (chain) =>
        chain.sessions.length > 0 ? (
          <TierPath sessions={chain.sessions} />
        ) : (
          <Unknown reason="It never started" />
        ),
    },
    {
      header: 'Started',
      cell: (chain) => (
        <span className="whitespace-nowrap">
          <Time at={chain.startedAt ?? chain.createdAt} isPlain />
          <span className="text-text-3"> · {TRIGGERS[chain.trigger].label}</span>
        </span>
      ),
    },
    {
      header: 'Took',
      align: 'end',
      cell: (chain) =>
        chain.startedAt ? (
          <Duration from={chain.startedAt} to={chain.endedAt} />
        ) : (
          <Unknown reason="It never started" />
        ),
    },
    {
      header: 'Cost',
      align: 'end',
      phone: 'aside',
      cell: (chain) => (
        <Cost
          micros={chain.sessions.length > 0 ? Math.round(chain.totalCostUsd * 1_000_000) : null}
          unknownReason="It never started"
          form={chain.outcome === null ? 'running' : chain.isCostEstimated ? 'estimate' : 'final'}
        />
      ),
    },
  ];
}

/** A wait, a skip and a bad end say why; a good one needs no words here. */
function reasonOf(chain: ChainItem): string | undefined {
  if (chain.acknowledgement) return `acknowledged by ${chain.acknowledgement.by}`;
  if (chain.outcome === 'healthy' || chain.outcome === 'fixed' || chain.status === 'running') {
    return undefined;
  }
  return chain.statusText || undefined;
}
