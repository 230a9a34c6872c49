'use client';

import { useRouter } from 'next/navigation';
import { SegmentedChoice } from '@/app/_components/ui/segmented';
import type { TierPolicy } from '@/lib/projects/schema';
import type { Tier } from '@/lib/protocol/spec';

interface TierTabsProps {
  tier: Tier;
  href: string;
  tiers: readonly TierPolicy[];
}

const NAMES: Record<Tier, '1' | '2' | '3'> = { 1: '1', 2: '2', 3: '3' };

/** Which tier is edited; kept in the address. No link, so that an unsaved draft stays. */
export function TierTabs({ tier, href, tiers }: TierTabsProps) {
  const router = useRouter();
  return (
    <SegmentedChoice
      label="Tier"
      name="shown-tier"
      value={NAMES[tier]}
      choices={tiers.map((policy) => ({
        value: NAMES[policy.tier],
        label: policy.isEnabled ? `Tier ${policy.tier}` : `Tier ${policy.tier}, off`,
      }))}
      onChange={(next) => router.replace(`${href}?tier=${next}`, { scroll: false })}
    />
  );
}
