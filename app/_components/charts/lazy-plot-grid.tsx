'use client';

import { lazy, Suspense } from 'react';
import { loadPart } from '../reach/load-part';
import { PLOT_GRID, PlotGridSkeleton } from './plot-grid-skeleton';
import type { PlotView } from './plot-view';

const PlotCard = lazy(async () => {
  const plots = await loadPart(() => import('./plot-card'));
  return { default: plots.PlotCard };
});

interface LazyPlotGridProps {
  views: readonly PlotView[];
  /** On phones each is folded until it is asked for. */
  isFolded?: boolean;
  /** Of the plots' headings. */
  level?: 2 | 3;
}

/** Plots whose code comes after the page is alive. The server draws their sentences at once. */
export function LazyPlotGrid({ views, isFolded = false, level = 2 }: LazyPlotGridProps) {
  return (
    <Suspense fallback={<PlotGridSkeleton count={views.length} />}>
      <div className={PLOT_GRID}>
        {views.map((view) => (
          <PlotCard key={view.kind} view={view} isFolded={isFolded} level={level} />
        ))}
      </div>
    </Suspense>
  );
}
