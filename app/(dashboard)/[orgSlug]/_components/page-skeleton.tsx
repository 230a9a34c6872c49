import { PageBody } from '@/app/_components/shell/page-header';
import { Skeleton, SkeletonRows } from '@/app/_components/ui/skeleton';

/**
 * Stands for a page whose rows are not there yet, at its true size. For a Suspense boundary below
 * the look-ups that may end in a 404: once something is sent, the status is decided.
 */
export function PageSkeleton({ width }: { width?: 'page' | 'wide' }) {
  return (
    <PageBody width={width}>
      <div className="flex min-h-16 flex-col gap-3">
        <Skeleton className="h-7 w-48" />
        <Skeleton className="h-4 w-96 max-w-full" />
      </div>
      <SkeletonRows label="Loading" />
    </PageBody>
  );
}
