'use client';

import { useAddressParams } from '../lists/address-params';
import { SegmentedLinks } from '../ui/segmented';

interface RangeLinksProps {
  ranges: readonly { value: string; label: string }[];
  current: string | null;
}

/** One span of time for the whole page; what else the address says stays. */
export function RangeLinks({ ranges, current }: RangeLinksProps) {
  const { hrefWith } = useAddressParams();
  const hrefOf = (range: string) => hrefWith({ range, from: null, to: null, day: null });
  return (
    <SegmentedLinks
      label="Range"
      segments={ranges.map(({ value, label }) => ({ href: hrefOf(value), label }))}
      currentHref={current === null ? '' : hrefOf(current)}
    />
  );
}
