import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Duration } from '@/app/_components/status/duration';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { SummaryBadge } from '@/app/_components/status/summary-mark';
import { TierMark } from '@/app/_components/status/tier-mark';
import { Time } from '@/app/_components/status/time';
import { ButtonLink } from '@/app/_components/ui/button-link';
import { Card } from '@/app/_components/ui/card';
import { Link } from '@/app/_components/ui/link';
import { tierToTurnOn } from '@/lib/engine/escalation/reasons';
import { type Attention, attentionText, outageChains } from '@/lib/insight/dashboard/attention';
import type { Telling } from '@/lib/insight/dashboard/clauses';
import type { ProjectFacts } from '@/lib/insight/dashboard/schema';
import { waitsForPeople } from '@/lib/insight/dashboard/state';
import type { TenantScope } from '@/lib/platform/db/scope';
import { encodeId } from '@/lib/platform/ids';
import { AcknowledgeChain } from '../projects/[projectSlug]/_components/chain-acts';
import { NeedsRole } from './needs-role';
import type { Refusal } from './permission';
import { TurnOnTier } from './turn-on-tier';

interface AttentionListProps {
  scope: TenantScope;
  orgSlug: string;
  items: readonly Attention[];
  telling: Telling;
  /** Why the reader can't acknowledge; null: they can. */
  refusal: Refusal;
}

/** What someone should look at, worst first, with the reason and what can be done about it. */
export function AttentionList({ items, ...around }: AttentionListProps) {
  if (items.length === 0) return null;
  return (
    <Card title="Needs attention" note={items.length} isFlush>
      <ul>
        {items.map((item) => (
          <li key={keyOf(item)} className="border-line border-t first:border-t-0">
            <Row item={item} {...around} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface RowProps extends Omit<AttentionListProps, 'items'> {
  item: Attention;
}

function Row({ item, ...around }: RowProps) {
  return <Line {...lineOf({ item, ...around })}>{attentionText(item, around.telling)}</Line>;
}

function lineOf({ item, ...around }: RowProps): Omit<LineProps, 'children'> {
  const { orgSlug } = around;
  switch (item.kind) {
    case 'outage': {
      const { project, outage } = item;
      const since = outage.since && <Duration from={outage.since.toISOString()} to={null} />;
      return {
        href: projectHref(orgSlug, project),
        badge: <SummaryBadge mark={{ kind: 'service', state: outage.state }} detail={since} />,
        title: project.name,
        note: outageChains(outage),
        actions: <ChainActions project={project} {...around} />,
      };
    }
    case 'incident': {
      const { project, incident } = item;
      const { needsHumanSince } = incident;
      const href = incidentHref(orgSlug, project, incident);
      return {
        href,
        badge: needsHumanSince ? (
          <StatusBadge kind="chain" state="needs_human" />
        ) : (
          <StatusBadge kind="incident" state="open" />
        ),
        title: project.name,
        at: needsHumanSince,
        actions: <OpenIncident href={href} incident={incident} />,
      };
    }
    case 'chain': {
      const { project, chain } = item;
      const outcome = chain.outcome === 'failed' || chain.outcome === 'lost' ? chain.outcome : null;
      return {
        href: projectHref(orgSlug, project),
        badge: <StatusBadge kind="chain" state={outcome ?? 'needs_human'} />,
        title: project.name,
        at: chain.endedAt,
        actions: <ChainActions project={project} {...around} />,
      };
    }
    case 'budget':
      return {
        href: `${projectHref(orgSlug, item.project)}/settings/budgets`,
        badge: <StatusBadge kind="project" state="budget_stopped" />,
        title: item.project.name,
      };
    case 'leaking_rules':
      return {
        href: `${projectHref(orgSlug, item.project)}/settings/tiers`,
        badge: <TierMark tier={1} />,
        title: item.project.name,
      };
    case 'no_runner':
      return {
        href: `/${orgSlug}/runners`,
        badge: <StatusBadge kind="runner" state="offline" />,
        title: `Pool ${item.pool}`,
      };
    case 'runner_offline':
      return {
        href: `/${orgSlug}/runners/${encodeId('rnr', item.runner.id)}`,
        badge: <StatusBadge kind="runner" state="offline" />,
        title: item.runner.name,
        at: item.runner.lastSeenAt,
      };
  }
}

interface ChainActionsProps extends Pick<AttentionListProps, 'scope' | 'orgSlug' | 'refusal'> {
  project: ProjectFacts;
}

/** Opens the chain that says most, acknowledges it where it waits for a person, and lifts what stopped it. */
function ChainActions({ scope, orgSlug, project, refusal }: ChainActionsProps) {
  const { lastVerdict, lastChain } = project;
  const chain = waitsForPeople(lastVerdict) ? lastVerdict : (lastChain ?? lastVerdict);
  if (!chain) return null;
  return (
    <>
      {lastVerdict ? (
        <TurnOnTier
          scope={scope}
          projectSlug={project.slug}
          tier={tierToTurnOn({ ...lastVerdict, reason: lastVerdict.outcomeReason })}
        />
      ) : null}
      <ButtonLink size="sm" href={`${projectHref(orgSlug, project)}/chains/${chain.number}`}>
        Open Chain #{chain.number}
      </ButtonLink>
      {waitsForPeople(lastVerdict) ? (
        <NeedsRole refusal={refusal} label="Acknowledge" size="sm">
          <AcknowledgeChain
            organizationSlug={orgSlug}
            chain={{ id: encodeId('chn', lastVerdict.id), number: lastVerdict.number }}
            size="sm"
          />
        </NeedsRole>
      ) : null}
    </>
  );
}

function OpenIncident({ href, incident }: { href: string; incident: { number: number } }) {
  return (
    <ButtonLink size="sm" href={href}>
      Open Incident #{incident.number}
    </ButtonLink>
  );
}

interface LineProps {
  href: string;
  badge: ReactNode;
  title: string;
  /** Since when. */
  at?: Date | null;
  note?: string | null;
  /** Above the link that covers the row. */
  actions?: ReactNode;
  children: ReactNode;
}

function Line({ href, badge, title, at, note, actions, children }: LineProps) {
  return (
    <div className="relative flex min-h-11 items-center gap-x-3 gap-y-1 px-4 py-2 text-ui hover:bg-hover max-md:flex-wrap">
      {badge}
      <Link
        href={href}
        className="whitespace-nowrap font-medium -outline-offset-2 after:absolute after:inset-0 after:content-['']"
      >
        {title}
      </Link>
      <p className="min-w-0 flex-1 text-text-2 max-md:order-last max-md:basis-full">
        {children} {note ? <span className="whitespace-nowrap text-text-3">{note}</span> : null}
      </p>
      {at ? <Time at={at.toISOString()} isPlain className="text-text-3 max-md:ml-auto" /> : null}
      {actions ? (
        <div className="relative z-10 flex shrink-0 flex-wrap items-center gap-2 max-md:order-last max-md:basis-full">
          {actions}
        </div>
      ) : (
        <ChevronRight aria-hidden className="size-4 shrink-0 text-text-3 max-md:hidden" />
      )}
    </div>
  );
}

function projectHref(orgSlug: string, { slug }: ProjectFacts): string {
  return `/${orgSlug}/projects/${slug}`;
}

function incidentHref(orgSlug: string, project: ProjectFacts, { number }: { number: number }) {
  return `${projectHref(orgSlug, project)}/incidents/${number}`;
}

function keyOf(item: Attention): string {
  switch (item.kind) {
    case 'outage':
    case 'incident':
    case 'chain':
      // The same element keeps its key while it changes, so an open dialog stays open.
      return `failure ${item.project.slug}`;
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
