import { Skeleton } from '../ui/skeleton';
import { PlotCard } from './plot-card';
import type { PlotView } from './plot-view';

const GRID = 'grid grid-cols-2 gap-4 max-lg:grid-cols-1';

interface PlotGridProps {
  views: readonly PlotView[];
  /** On phones each is folded until it is asked for. */
  isFolded?: boolean;
  /** Of the plots' headings. */
  level?: 2 | 3;
}

export function PlotGrid({ views, isFolded = false, level = 2 }: PlotGridProps) {
  return (
    <div className={GRID}>
      {views.map((view) => (
        <PlotCard key={view.kind} view={view} isFolded={isFolded} level={level} />
      ))}
    </div>
  );
}

/** As high as the plots will be, so that nothing below them moves. */
export function PlotGridSkeleton({ count }: { count: number }) {
  return (
    <div aria-busy="true" role="status" className={GRID}>
      <span className="sr-only">Loading the plots</span>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move
        <Skeleton key={index} className="h-90 w-full" />
      ))}
    </div>
  );
}
