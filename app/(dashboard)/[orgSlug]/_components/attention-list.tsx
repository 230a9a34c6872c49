import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { StateOf } from '@/app/_components/status/states';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { TierMark } from '@/app/_components/status/tier-mark';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { Link } from '@/app/_components/ui/link';
import { tierToTurnOn } from '@/lib/engine/escalation/tier-to-turn-on';
import type { Attention } from '@/lib/insight/dashboard/state';
import type { TenantScope } from '@/lib/platform/db/scope';
import { encodeId } from '@/lib/platform/ids';
import { TurnOnTier } from './turn-on-tier';

interface AttentionListProps {
  scope: TenantScope;
  orgSlug: string;
  items: readonly Attention[];
}

/** What somebody should look at, worst first. Each row leads to where it can be dealt with. */
export function AttentionList({ scope, orgSlug, items }: AttentionListProps) {
  if (items.length === 0) return null;
  return (
    <Card title="Needs attention" note={items.length} isFlush>
      <ul>
        {items.map((item) => (
          <li key={keyOf(item)} className="border-line border-t first:border-t-0">
            <Row scope={scope} orgSlug={orgSlug} item={item} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface RowProps {
  scope: TenantScope;
  orgSlug: string;
  item: Attention;
}

function Row({ scope, orgSlug, item }: RowProps) {
  switch (item.kind) {
    case 'chain': {
      const { project, chain } = item;
      return (
        <Line
          href={`/${orgSlug}/projects/${project.slug}/chains/${chain.number}`}
          badge={<StatusBadge kind="chain" state={asChainState(chain.outcome)} />}
          title={`${project.name} #${chain.number}`}
          at={chain.endedAt}
        >
          {chain.servicesAffected.length > 0 ? (
            <span className="text-text">{chain.servicesAffected.join(', ')}</span>
          ) : null}
          <TierMark tier={asTier(chain.highestTier)} />
          <span className="min-w-0">{chain.statusText}</span>
          <TurnOnTier
            scope={scope}
            projectSlug={project.slug}
            tier={tierToTurnOn({ ...chain, reason: chain.outcomeReason })}
          />
        </Line>
      );
    }
    case 'budget':
      return (
        <Line
          href={`/${orgSlug}/projects/${item.project.slug}/settings/budgets`}
          badge={<StatusBadge kind="project" state="budget_stopped" />}
          title={item.project.name}
        >
          The budget of the {item.span} is used up, so no chain starts. Raise it, or wait for the
          next {item.span} (UTC).
        </Line>
      );
    case 'leaking_rules':
      return (
        <Line
          href={`/${orgSlug}/projects/${item.project.slug}/settings/tiers`}
          badge={<TierMark tier={1} />}
          title={item.project.name}
        >
          Its rules are default rules of an earlier version, which allow more than they should.
          Review and replace them.
        </Line>
      );
    case 'no_runner':
      return (
        <Line
          href={`/${orgSlug}/runners`}
          badge={<StatusBadge kind="runner" state="offline" />}
          title={`Pool ${item.pool}`}
        >
          No runner of it takes new work, so nothing can start for{' '}
          {item.projects.map((project) => project.name).join(', ')}.
        </Line>
      );
    case 'runner_offline':
      return (
        <Line
          href={`/${orgSlug}/runners/${encodeId('rnr', item.runner.id)}`}
          badge={<StatusBadge kind="runner" state="offline" />}
          title={item.runner.name}
          at={item.runner.lastSeenAt}
        >
          Other runners of pool {item.runner.pool} do its work.
        </Line>
      );
  }
}

interface LineProps {
  href: string;
  badge: ReactNode;
  title: string;
  /** Since when. */
  at?: Date | null;
  children: ReactNode;
}

function Line({ href, badge, title, at, children }: LineProps) {
  return (
    <div className="relative flex min-h-11 items-center gap-x-3 gap-y-1 px-4 py-2 text-ui hover:bg-hover max-md:flex-wrap">
      {badge}
      <Link
        href={href}
        className="whitespace-nowrap font-medium -outline-offset-2 after:absolute after:inset-0 after:content-['']"
      >
        {title}
      </Link>
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 text-text-2 max-md:order-last max-md:basis-full">
        {children}
      </span>
      {at ? <Time at={at.toISOString()} isPlain className="text-text-3 max-md:ml-auto" /> : null}
      <ChevronRight aria-hidden className="size-4 shrink-0 text-text-3 max-md:hidden" />
    </div>
  );
}

function keyOf(item: Attention): string {
  switch (item.kind) {
    case 'chain':
      return `chain ${item.project.slug}`;
    case 'budget':
      return `budget ${item.project.slug}`;
    case 'leaking_rules':
      return `rules ${item.project.slug}`;
    case 'no_runner':
      return `pool ${item.pool}`;
    case 'runner_offline':
      return `runner ${item.runner.id}`;
  }
}

function asTier(tier: number): 1 | 2 | 3 {
  return tier >= 3 ? 3 : tier === 2 ? 2 : 1;
}

function asChainState(outcome: string | null): StateOf<'chain'> {
  return outcome === 'failed' || outcome === 'lost' ? outcome : 'needs_human';
}
