import { TurnOnTier } from '@/app/(dashboard)/[orgSlug]/_components/turn-on-tier';
import { tierToTurnOn } from '@/lib/engine/escalation/tier-to-turn-on';
import { isTierOn } from '@/lib/insight/chains/get-chain';
import type { ChainDetail } from '@/lib/insight/chains/schema';
import type { TenantScope } from '@/lib/platform/db/scope';

interface NextTierProps {
  scope: TenantScope;
  chain: ChainDetail;
}

/** Where the settings stopped a chain: the way to turn the next tier on, unless it's on by now. */
export async function NextTier({ scope, chain }: NextTierProps) {
  const { outcome, outcomeReason, highestTier, project } = chain;
  const tier = tierToTurnOn({ outcome, reason: outcomeReason, highestTier });
  if (tier === null) return null;
  if (await isTierOn(scope, project.id, tier)) {
    return <span className="text-text-2">Tier {tier} has been turned on since.</span>;
  }
  return <TurnOnTier scope={scope} projectSlug={project.slug} tier={tier} />;
}
