import type { ReactNode } from 'react';
import { FactLine } from '@/app/_components/chains/fact-line';
import { Outcome } from '@/app/_components/chains/outcome';
import { PageHeader } from '@/app/_components/shell/page-header';
import { Cost } from '@/app/_components/status/cost';
import { Duration } from '@/app/_components/status/duration';
import { ModifierChip } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { CopyId } from '@/app/_components/ui/copy-id';
import { TRIGGERS } from '@/lib/engine/triggers';
import type { ChainDetail, FixStanding } from '@/lib/insight/chains/schema';
import { microsOf } from '@/lib/platform/format/cost';
import { reportedSummary } from './chain-sentence';

interface ChainHeaderProps {
  chain: ChainDetail;
  fix: FixStanding | null;
  sentence: string;
  actions: ReactNode;
}

export function ChainHeader({ chain, fix, sentence, actions }: ChainHeaderProps) {
  const reported = reportedSummary(chain);
  const start = chain.startedAt ?? chain.createdAt;
  return (
    <PageHeader
      title={`#${chain.number}`}
      marks={
        <>
          <Outcome chain={chain} fix={fix} isBare />
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
              <Cost
                micros={microsOf(chain.totalCostUsd)}
                form={
                  chain.outcome === null ? 'running' : chain.isCostEstimated ? 'estimate' : 'final'
                }
              />
            </a>
            {chain.forceFresh ? <span>fresh conversations asked for</span> : null}
          </FactLine>
          <CopyId id={chain.id} label="chain id" className="max-md:hidden" />
        </>
      }
      sentence={
        <>
          {sentence}
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
