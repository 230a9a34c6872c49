import { PlotCard } from './plot-card';
import { PLOT_GRID } from './plot-grid-skeleton';
import type { PlotView } from './plot-view';

interface PlotGridProps {
  views: readonly PlotView[];
  /** On phones each is folded until it is asked for. */
  isFolded?: boolean;
  /** Of the plots' headings. */
  level?: 2 | 3;
}

export function PlotGrid({ views, isFolded = false, level = 2 }: PlotGridProps) {
  return (
    <div className={PLOT_GRID}>
      {views.map((view) => (
        <PlotCard key={view.kind} view={view} isFolded={isFolded} level={level} />
      ))}
    </div>
  );
}
