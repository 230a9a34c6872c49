import { Link } from '@/app/_components/ui/link';
import { tierSwitchPath } from '@/lib/insight/checklist';
import type { TenantScope } from '@/lib/platform/db/scope';
import { refusalOf } from './permission';

interface TurnOnTierProps {
  scope: TenantScope;
  projectSlug: string;
  /** Which tier the settings kept from acting; null where nothing did. */
  tier: 2 | 3 | null;
}

/** Leads to the switch of the tier that would have acted, or says who may turn it on. */
export async function TurnOnTier({ scope, projectSlug, tier }: TurnOnTierProps) {
  if (tier === null) return null;
  const refusal = await refusalOf(scope, 'admin', `Turning on tier ${tier} needs`);
  if (refusal) return <span className="text-text-3">{refusal}</span>;
  return (
    // Above the link that covers its row.
    <Link
      href={`/${scope.organizationSlug}${tierSwitchPath(projectSlug, tier)}`}
      className="link relative z-10 whitespace-nowrap"
    >
      Turn on tier {tier}
    </Link>
  );
}
