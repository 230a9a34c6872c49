import type { PlotSpan } from '@/lib/insight/analytics/buckets';
import type { PlotFrame } from '@/lib/insight/analytics/frame';
import { bucketWords } from '@/lib/insight/analytics/labels';
import { spanQuery } from '../plot-ranges';
import type { PlotColumn, PlotKind, PlotView } from '../plot-view';

/** Where the plots of a page stand, and where their rows are listed. */
export interface PlotPlace {
  /** `/acme` or `/acme/projects/checkout`. */
  root: string;
  /** `/acme`: of pages that a project has none of its own of. */
  orgRoot: string;
  range: PlotSpan;
  timeZone: string;
  frame: PlotFrame;
  /** Filters of the page that its lists keep. */
  kept?: Filters;
}

type Filters = Record<string, string>;

/** A list with the filter of a series; the column that it is opened from adds its span. */
export function seriesList(
  { root, kept }: Pick<PlotPlace, 'root' | 'kept'>,
  list: List,
  filters: Filters,
): string {
  const query = new URLSearchParams({ ...kept, ...filters }).toString();
  return query === '' ? `${root}/${list}` : `${root}/${list}?${query}`;
}

type List = 'chains' | 'sessions' | 'spend';

/** A list, cut to one column or to the whole plot. */
export function listHref(
  { root, kept, frame }: PlotPlace,
  list: List,
  filters: Filters,
  bucket?: number,
): string {
  const first = frame.buckets[bucket ?? 0];
  const last = frame.buckets[bucket ?? frame.buckets.length - 1];
  const query = new URLSearchParams({
    ...kept,
    ...filters,
    from: first?.startAt.toISOString() ?? '',
    to: last?.endAt.toISOString() ?? '',
  });
  return `${root}/${list}?${query}`;
}

/** What every view has in common. */
export function sharedView(
  place: PlotPlace,
  kind: PlotKind,
  points: readonly unknown[],
  hrefOf: (bucket: number) => string,
): Pick<PlotView, 'kind' | 'bucketWords' | 'columns' | 'csvHref' | 'notes'> {
  const { range, timeZone, frame, orgRoot, root } = place;
  const csv = new URLSearchParams({ plot: kind, ...spanQuery(range), timeZone });
  if (root !== orgRoot) csv.set('project', root.split('/').at(-1) ?? '');
  return {
    kind,
    bucketWords: sentenceOf(bucketWords(frame.size, timeZone)),
    columns: frame.buckets.map((bucket, index): PlotColumn => {
      const label = frame.labels[index];
      return {
        short: label?.short ?? '',
        long: label?.long ?? '',
        isCurrent: bucket.isCurrent,
        isEmpty: points[index] === null,
        href: hrefOf(index),
        from: bucket.startAt.toISOString(),
        to: bucket.endAt.toISOString(),
      };
    }),
    csvHref: `${orgRoot}/analytics/plots.csv?${csv}`,
    notes: [],
  };
}

/** "By day, Europe/Berlin." */
function sentenceOf(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
