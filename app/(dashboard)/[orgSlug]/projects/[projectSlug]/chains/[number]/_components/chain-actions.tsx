import { NeedsRole } from '@/app/(dashboard)/[orgSlug]/_components/needs-role';
import { refusalOf } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import { AcknowledgeChain } from '@/app/(dashboard)/[orgSlug]/projects/[projectSlug]/_components/acknowledge-chain';
import { StopChain } from '@/app/(dashboard)/[orgSlug]/projects/[projectSlug]/_components/stop-chain';
import type { ChainDetail } from '@/lib/chains/view/schema';
import type { TenantScope } from '@/lib/tenancy/scope';
import { microsOf } from '@/lib/usage/micros';

interface ChainActionsProps {
  scope: TenantScope;
  chain: ChainDetail;
}

const WAITS_FOR_PEOPLE = ['needs_human', 'failed', 'lost'];

/** The one thing to do: stop what runs, acknowledge what waits for a person. */
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
  if (!acknowledgement && outcome && WAITS_FOR_PEOPLE.includes(outcome)) {
    return (
      <NeedsRole refusal={refusal} label={`Acknowledge #${number}`}>
        <AcknowledgeChain organizationSlug={organizationSlug} chain={{ id, number }} />
      </NeedsRole>
    );
  }
  return null;
}
