'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { hrefWith } from '../lists/list-params';
import { SegmentedLinks } from '../ui/segmented';

interface RangeLinksProps {
  ranges: readonly { value: string; label: string }[];
  current: string | null;
}

/** One span of time for the whole page; what else the address says stays. */
export function RangeLinks({ ranges, current }: RangeLinksProps) {
  const path = usePathname();
  const params = useSearchParams();
  const hrefOf = (range: string) =>
    hrefWith(path, Object.fromEntries(params), { range, from: null, to: null, day: null });
  return (
    <SegmentedLinks
      label="Range"
      segments={ranges.map(({ value, label }) => ({ href: hrefOf(value), label }))}
      currentHref={current === null ? '' : hrefOf(current)}
    />
  );
}
