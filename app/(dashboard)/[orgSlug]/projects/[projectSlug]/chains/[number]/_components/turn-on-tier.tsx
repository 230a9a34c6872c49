import { Link } from '@/app/_components/ui/link';
import { refusalOf } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import { isTierOn } from '@/lib/insight/chains/get-chain';
import type { ChainDetail } from '@/lib/insight/chains/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { tierThatWasOff } from './tier-that-was-off';

interface TurnOnTierProps {
  scope: TenantScope;
  chain: ChainDetail;
  root: string;
}

/** Where the maximum tier stopped a chain: the way to turn the next one on, or who can. */
export async function TurnOnTier({ scope, chain, root }: TurnOnTierProps) {
  const tier = tierThatWasOff(chain);
  if (tier === null) return null;
  if (await isTierOn(scope, chain.project.id, tier)) {
    return <span className="text-text-2">Tier {tier} has been turned on since.</span>;
  }
  const refusal = await refusalOf(scope, 'admin', `Turning on tier ${tier} needs`);
  if (refusal) return <span className="text-text-2">{refusal}</span>;
  return (
    <Link href={`${root}/settings/tiers?tier=${tier}`} className="link">
      Turn on tier {tier}
    </Link>
  );
}
