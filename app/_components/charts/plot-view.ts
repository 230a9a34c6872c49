/** A plot as the page hands it to the browser: plain values, ready to be drawn and read. */

import type { PlotTable } from '@/lib/insight/analytics/frame';
import type { Fill } from './fill';
import type { Tick } from './ticks';

export type PlotKind = 'outcomes' | 'escalation' | 'cost' | 'hops' | 'spend';

export interface PlotView {
  kind: PlotKind;
  title: string;
  /** The sentence that says what is to be seen. */
  caption: string;
  /** `by day, Europe/Berlin`. */
  bucketWords: string;
  /** Stands in place of the picture when there is nothing to draw. */
  emptyText: string | null;
  columns: PlotColumn[];
  legend: LegendItem[];
  drawing: Drawing;
  table: PlotTable;
  csvHref: string;
  /** Under the picture: reasons. Those without items are left out. */
  notes: PlotNotes[];
}

export interface PlotColumn {
  short: string;
  long: string;
  isCurrent: boolean;
  /** Nothing is known of it: a gap. */
  isEmpty: boolean;
  /** The rows behind it. */
  href: string;
  /** ISO 8601 in UTC; `to` is the start of the next one. */
  from: string;
  to: string;
}

export interface LegendItem {
  label: string;
  fill: Fill;
  shape: 'box' | 'line' | 'dash';
  href: string | null;
}

export interface PlotNotes {
  title: string;
  items: { label: string; detail: string; href: string | null }[];
}

/** What a piece of a series is called, and where its rows are. */
export interface Traced {
  /** Header of its column in the table. */
  label: string;
  /** Address of the list with the filter of the series, without a span. */
  list: string;
}

interface BarSeries extends Traced {
  key: string;
  fill: Fill;
}

export interface LineSeries extends Traced {
  key: string;
  color: Fill['color'];
  isDashed: boolean;
  /** Points of too few cases, drawn hollow. */
  hollow: boolean[];
}

type Row = Record<string, number | null>;

export type Drawing =
  | {
      form: 'bars';
      series: BarSeries[];
      rows: Row[];
      ticks: Tick[];
      limit: { value: number; label: string } | null;
    }
  | {
      form: 'lines';
      series: LineSeries[];
      rows: Row[];
      ticks: Tick[];
    };
