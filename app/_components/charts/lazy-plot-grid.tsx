'use client';

import { type ComponentProps, lazy, Suspense } from 'react';
import { loadPart } from '../reach/load-part';
import type { PlotGrid as PlotGridType } from './plot-grid';
import { PlotGridSkeleton } from './plot-grid-skeleton';

const PlotGrid = lazy(async () => {
  const plots = await loadPart(() => import('./plot-grid'));
  return { default: plots.PlotGrid };
});

/** Plots whose code comes after the page is alive. The server draws their sentences at once. */
export function LazyPlotGrid(props: ComponentProps<typeof PlotGridType>) {
  return (
    <Suspense fallback={<PlotGridSkeleton count={props.views.length} />}>
      <PlotGrid {...props} />
    </Suspense>
  );
}
