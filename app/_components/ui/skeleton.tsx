import { cn } from './cn';

/** A still block of the final size; appears only when the wait is longer than 100 ms. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn('animate-appear rounded-badge bg-hover', className)} />;
}

/** Rows of a table's true height, so that nothing moves when the real ones come. */
export function SkeletonRows({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className="rounded-card border border-line bg-surface">
      <div className="h-8" />
      {Array.from({ length: 8 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <div key={row} className="flex h-row items-center gap-6 border-line border-t px-3">
          <Skeleton className="h-3 w-10" />
          <Skeleton className="h-3 w-24" />
          <Skeleton className="h-3 flex-1" />
          <Skeleton className="h-3 w-14" />
        </div>
      ))}
    </div>
  );
}
