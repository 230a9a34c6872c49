import { MessageCircleQuestionMark } from 'lucide-react';
import Link from 'next/link';
import { Button } from '@/app/_components/ui/button';
import { NeedsRole } from '@/app/(dashboard)/[orgSlug]/_components/needs-role';
import { refusalOf } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import { AcknowledgeChain } from '@/app/(dashboard)/[orgSlug]/projects/[projectSlug]/_components/acknowledge-chain';
import { StopChain } from '@/app/(dashboard)/[orgSlug]/projects/[projectSlug]/_components/stop-chain';
import type { ChainDetail } from '@/lib/insight/chains/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { microsOf } from '@/lib/platform/format/cost';

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
      <NeedsRole refusal={refusal} label={`Stop #${number}`}>
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
      <Button asChild look={waits || refusal ? 'secondary' : 'primary'}>
        <Link href={href}>
          <MessageCircleQuestionMark aria-hidden /> Ask
        </Link>
      </Button>
      {waits ? (
        <NeedsRole refusal={refusal} label={`Acknowledge #${number}`}>
          <AcknowledgeChain organizationSlug={organizationSlug} chain={{ id, number }} />
        </NeedsRole>
      ) : null}
    </>
  );
}
