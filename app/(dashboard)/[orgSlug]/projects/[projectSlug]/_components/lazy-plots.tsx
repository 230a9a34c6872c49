'use client';

import { type ComponentProps, lazy, Suspense } from 'react';
import type { PlotGrid as PlotGridType } from '@/app/_components/charts/plot-grid';
import { PlotGridSkeleton } from '@/app/_components/charts/plot-grid-skeleton';
import { loadPart } from '@/app/_components/reach/load-part';

const PlotGrid = lazy(async () => {
  const plots = await loadPart(() => import('@/app/_components/charts/plot-grid'));
  return { default: plots.PlotGrid };
});

/** Plots whose code comes after the page is alive. The server draws their sentences at once. */
export function LazyPlots(props: ComponentProps<typeof PlotGridType>) {
  return (
    <Suspense fallback={<PlotGridSkeleton count={props.views.length} />}>
      <PlotGrid {...props} />
    </Suspense>
  );
}
