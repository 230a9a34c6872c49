'use client';

import dynamic from 'next/dynamic';
import { loadPart } from '@/app/_components/reach/load-part';
import { SkeletonRows } from '@/app/_components/ui/skeleton';

/** The section's code is loaded with it, since all sections of the settings share one page. */
export const LazySignalsSection = dynamic(
  async () => (await loadPart(() => import('./signals-section'))).SignalsSection,
  { loading: () => <SkeletonRows label="Loading" /> },
);
