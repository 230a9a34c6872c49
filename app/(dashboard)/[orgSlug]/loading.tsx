import { PageBody } from '@/app/_components/shell/page-body';
import { Skeleton, SkeletonRows } from '@/app/_components/ui/skeleton';

/** The frame stands at once; the header and the rows have their final height. */
export default function Loading() {
  return (
    <PageBody>
      <div className="flex min-h-16 flex-col gap-3">
        <Skeleton className="h-7 w-48" />
        <Skeleton className="h-4 w-96 max-w-full" />
      </div>
      <SkeletonRows label="Loading" />
    </PageBody>
  );
}
