import type { OrganizationId } from '@/lib/platform/db/scope';
import type { Bucket, BucketSize } from './buckets';
import type { BucketLabel } from './labels';
import type { PlotTable } from './table';

/** What all plots of a page share: whose rows, and cut into which columns. */
export interface PlotFrame {
  organizationId: OrganizationId;
  /** UUID; null: every project. */
  projectId: string | null;
  size: BucketSize;
  buckets: readonly Bucket[];
  labels: readonly BucketLabel[];
  /** `the last 7 days`, `the span from 18 Nov 14:00 to 19 Nov 02:00`. */
  rangeWords: string;
  now: Date;
}

/** What every plot comes to: a sentence, the drawing's points, and the same figures as a table. */
export interface PlotResult<Point> {
  caption: string;
  /** One a bucket; null where nothing is known. */
  points: (Point | null)[];
  table: PlotTable;
  isEmpty: boolean;
}
