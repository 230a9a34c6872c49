// Apart from the plots, whose code a page loads later.
import { Skeleton } from '../ui/skeleton';

export const PLOT_GRID = 'grid grid-cols-2 gap-4 max-lg:grid-cols-1';

/** As high as the plots will be, so that nothing below them moves. */
export function PlotGridSkeleton({ count }: { count: number }) {
  return (
    <div aria-busy="true" role="status" className={PLOT_GRID}>
      <span className="sr-only">Loading the plots</span>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move
        <Skeleton key={index} className="h-90 w-full" />
      ))}
    </div>
  );
}
