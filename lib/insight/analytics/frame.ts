import type { OrganizationId, TenantScope } from '@/lib/platform/db/scope';
import {
  type Bucket,
  type BucketSize,
  bucketSizeOf,
  bucketsOf,
  type PlotRange,
  type PlotSpan,
} from './buckets';
import { type BucketLabel, labelsOf, spanWords } from './labels';

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

export interface PlotRequest {
  range: PlotSpan;
  /** IANA name: whose days and hours the columns are. */
  timeZone: string;
}

const RANGE_WORDS: Record<PlotRange, string> = {
  '24h': 'the last 24 hours',
  '7d': 'the last 7 days',
  '30d': 'the last 30 days',
  '90d': 'the last 13 weeks',
};

/** `projectId` is a UUID; null for every project of the organization. */
export function makeFrame(
  scope: TenantScope,
  { range, timeZone }: PlotRequest,
  projectId: string | null,
  now: Date,
): PlotFrame {
  const size = bucketSizeOf(range);
  const buckets = bucketsOf(range, now, timeZone);
  return {
    organizationId: scope.organizationId,
    projectId,
    size,
    buckets,
    labels: labelsOf(buckets, size, timeZone),
    rangeWords:
      typeof range === 'string'
        ? RANGE_WORDS[range]
        : `the span ${spanWords(buckets, size, timeZone)}`,
    now,
  };
}

/** A row of an aggregation: which column of the plot it belongs to, counted from 0. */
interface InBucket {
  bucket: number;
}

/**
 * One cell a bucket. `make` sees the rows of its bucket, which may be none, and answers null
 * where nothing is known: that is a gap and not a zero. Rows outside of the plot are left out.
 */
export function fillBuckets<Row extends InBucket, Cell>(
  count: number,
  rows: readonly Row[],
  make: (rows: readonly Row[], bucket: number) => Cell,
): Cell[] {
  const byBucket = Array.from({ length: count }, (): Row[] => []);
  for (const row of rows) byBucket[row.bucket]?.push(row);
  return byBucket.map(make);
}

export function sumOf<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0);
}

/** The accessible form of a plot, and what its CSV holds. */
export interface PlotTable {
  columns: PlotTableColumn[];
  rows: PlotTableRow[];
}

interface PlotTableColumn {
  header: string;
  isNumber: boolean;
  /** Of the plain values, where the header doesn't say it. */
  unit?: 'USD' | 'seconds' | 'share';
}

export interface PlotTableRow {
  /** The column of the plot; null for a row beside them (an open outage, a reason). */
  bucket: number | null;
  header: string;
  cells: PlotTableCell[];
}

export interface PlotTableCell {
  /** For reading: `12%`, `$2.50`, `no chains`. */
  text: string;
  /** For machines: plain numbers in the column's unit; null where unknown. */
  value: number | string | null;
}

export function countCell(count: number): PlotTableCell {
  return { text: count.toLocaleString('en'), value: count };
}

export function missingCell(text: string): PlotTableCell {
  return { text, value: null };
}

interface PlotParts<Row, Point> {
  caption: string;
  pointOf: (rows: readonly Row[]) => Point;
  columns: PlotTableColumn[];
  cellsOf: (point: Point) => PlotTableCell[];
  /** Stands in the cells of a bucket without rows. */
  nothing: string;
  isEmpty: boolean;
}

/** Returns a plot of rows: a point for each bucket that has some, and the same figures as a table. */
export function plotOf<Row extends InBucket, Point>(
  { buckets, labels }: PlotFrame,
  rows: readonly Row[],
  { caption, pointOf, columns, cellsOf, nothing, isEmpty }: PlotParts<Row, Point>,
): PlotResult<Point> {
  const points = fillBuckets(buckets.length, rows, (found) =>
    found.length === 0 ? null : pointOf(found),
  );
  const tableRows = points.map((point, bucket) => ({
    bucket,
    header: labels[bucket]?.long ?? '',
    cells: point ? cellsOf(point) : columns.map(() => missingCell(nothing)),
  }));
  return { caption, points, table: { columns, rows: tableRows }, isEmpty };
}

type Row = (string | number | null)[];

/** A plot's table as lines of a CSV; what is unknown is empty. */
export function plotCsvRows(table: PlotTable): Row[] {
  return [
    ['when', ...table.columns.map(headerOf)],
    ...table.rows.map((row): Row => [row.header, ...row.cells.map((cell) => cell.value)]),
  ];
}

/** All plots below each other, each under its name. */
export function allPlotsCsvRows(plots: readonly { title: string; table: PlotTable }[]): Row[] {
  return plots.flatMap(({ title, table }, index): Row[] => [
    ...(index > 0 ? [[]] : []),
    [title],
    ...plotCsvRows(table),
  ]);
}

/** `Tier 1 (USD)`. */
function headerOf({ header, unit }: PlotTableColumn): string {
  return unit ? `${header} (${unit})` : header;
}

/**
 * The value below which a share of them lies, between two of them by their distance: what
 * PostgreSQL's percentile_cont answers. Null for none.
 */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) return null;
  return below + (above - below) * (position - Math.floor(position));
}
