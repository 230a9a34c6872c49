import { MessageCircleQuestionMark } from 'lucide-react';
import type { ReactNode } from 'react';
import { Outcome } from '@/app/_components/chains/chain-table';
import { FactLine } from '@/app/_components/chains/fact-line';
import { PageHeader } from '@/app/_components/shell/page-header';
import { Duration } from '@/app/_components/status/duration';
import { ModifierChip } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { ButtonLink } from '@/app/_components/ui/button-link';
import { CopyId } from '@/app/_components/ui/copy-button';
import { NeedsRole } from '@/app/(dashboard)/[orgSlug]/_components/needs-role';
import { refusalOf } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import {
  AcknowledgeChain,
  StopChain,
} from '@/app/(dashboard)/[orgSlug]/projects/[projectSlug]/_components/chain-acts';
import { type WaitingRunner, waitSentence, withoutWait } from '@/lib/engine/sweep/wait-sentence';
import { TRIGGERS } from '@/lib/engine/triggers';
import type { ChainDetail } from '@/lib/insight/chains/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { microsOf } from '@/lib/platform/format/cost';

interface ChainHeaderProps {
  chain: ChainDetail;
  sentence: string;
  cost: ReactNode;
  /** What would let the next chain go further. */
  remedy: ReactNode;
  actions: ReactNode;
}

export function ChainHeader({ chain, sentence, cost, remedy, actions }: ChainHeaderProps) {
  const reported = reportedSummary(chain);
  const start = chain.startedAt ?? chain.createdAt;
  return (
    <PageHeader
      title={`Chain #${chain.number}`}
      marks={
        <>
          <Outcome chain={chain} isBare />
          {chain.dryRun ? <ModifierChip modifier="dry_run" /> : null}
        </>
      }
      meta={
        <>
          <FactLine>
            <span>
              {TRIGGERS[chain.trigger].label} <Time at={start} form="day" />
            </span>
            {chain.requestedBy}
            <span>config v{chain.version}</span>
            {chain.startedAt ? <Duration from={chain.startedAt} to={chain.endedAt} /> : null}
            <a href="#cost" className="hover:underline">
              {cost}
            </a>
            {chain.forceFresh ? <span>fresh conversations asked for</span> : null}
          </FactLine>
          <CopyId id={chain.id} label="chain id" className="max-md:hidden" />
        </>
      }
      sentence={
        <>
          {sentence} {remedy}
          {reported ? (
            <span className="block text-text-2">
              Tier {reported.tier} reported: {reported.text}
            </span>
          ) : null}
          {chain.acknowledgement ? (
            <span className="block text-text-2">
              Acknowledged by {chain.acknowledgement.by} <Time at={chain.acknowledgement.at} />
              {chain.acknowledgement.endsAt ? (
                <>
                  {' '}
                  until <Time at={chain.acknowledgement.endsAt} form="day" />
                </>
              ) : null}
              {chain.acknowledgement.note ? `: ${chain.acknowledgement.note}` : '.'}
            </span>
          ) : null}
        </>
      }
      actions={actions}
    />
  );
}

interface ChainActionsProps {
  scope: TenantScope;
  chain: ChainDetail;
}

const WAITS_FOR_PEOPLE = ['needs_human', 'failed', 'lost'];

/** The one thing to do: stop what runs, acknowledge what waits for a person, else ask about it. */
export async function ChainActions({ scope, chain }: ChainActionsProps) {
  const { id, number, status, outcome, acknowledgement } = chain;
  const refusal = await refusalOf(scope, 'operator');
  const organizationSlug = scope.organizationSlug;
  if (status !== 'ended' && status !== 'stopping') {
    return (
      <NeedsRole refusal={refusal} label={`Stop Chain #${number}`}>
        <StopChain
          organizationSlug={organizationSlug}
          chain={{ id, number, costMicros: microsOf(chain.totalCostUsd) }}
        />
      </NeedsRole>
    );
  }
  // Nobody took part in a chain without a session, so there is nobody to ask.
  if (status !== 'ended' || chain.sessions.length === 0) return null;
  const waits = !acknowledgement && outcome && WAITS_FOR_PEOPLE.includes(outcome);
  const href = `/${organizationSlug}/projects/${chain.project.slug}/ask?chain=${number}`;
  return (
    <>
      <ButtonLink
        look={waits || refusal ? 'secondary' : 'primary'}
        href={href}
        icon={MessageCircleQuestionMark}
      >
        Ask
      </ButtonLink>
      {waits ? (
        <NeedsRole refusal={refusal} label={`Acknowledge Chain #${number}`}>
          <AcknowledgeChain organizationSlug={organizationSlug} chain={{ id, number }} />
        </NeedsRole>
      ) : null}
    </>
  );
}

type Facts = Pick<ChainDetail, 'status' | 'statusText' | 'outcome'> & {
  sessions: readonly {
    status: string;
    statusText: string;
    waitReason: string | null;
    tier: number;
  }[];
};

/** State and reason in a sentence, computed from rows. */
export function chainSentence(
  chain: Facts,
  pool: string,
  runners: readonly WaitingRunner[],
): string {
  const last = chain.sessions.at(-1);
  const isWaiting = last?.status === 'queued' || last?.status === 'waiting';
  if (chain.outcome === null && last && isWaiting) {
    return withoutWait(last) || waitSentence(pool, last.tier, runners);
  }
  return chain.statusText || 'Nothing has been said about it yet.';
}

/** What the last tier claims, as its report put it; null before the first one ended. */
export function reportedSummary(chain: {
  summary: string;
  statusText: string;
  highestTier: number;
}): { tier: number; text: string } | null {
  if (chain.summary === '' || chain.summary === chain.statusText) return null;
  return { tier: chain.highestTier, text: chain.summary };
}
