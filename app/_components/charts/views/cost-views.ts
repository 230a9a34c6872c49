import { ASK_TIER } from '@/lib/engine/statuses';
import {
  COST_SERIES,
  COST_WORDS,
  type CostPlot,
  totalOf,
} from '@/lib/insight/analytics/plots/cost';
import { formatCost } from '@/lib/platform/format/cost';
import { type Fill, tierFill } from '../fill';
import type { LegendItem, PlotView } from '../plot-view';
import { niceTicks } from '../ticks';
import { listHref, type PlotPlace, seriesList, sharedView } from './place';

const MICROS = 1_000_000;

const COST_FILLS: Record<(typeof COST_SERIES)[number], Fill> = {
  tier1: tierFill(1),
  tier2: tierFill(2),
  tier3: tierFill(3),
  ask: { color: 'idle', form: 'striped' },
  overhead: { color: 'idle', form: 'solid' },
};

/** Filters of the spend page that leave the rows of one series. */
const COST_FILTERS: Record<(typeof COST_SERIES)[number], Record<string, string>> = {
  tier1: { tier: '1', kind: 'work' },
  tier2: { tier: '2', kind: 'work' },
  tier3: { tier: '3', kind: 'work' },
  ask: { tier: `${ASK_TIER}`, kind: 'work' },
  overhead: { kind: 'overhead' },
};

export function costView(place: PlotPlace, plot: CostPlot): PlotView {
  const { points, caption, table, isEmpty, limitMicros } = plot;
  const highest = Math.max(0, ...points.map((point) => (point ? totalOf(point) : 0)));
  // A limit far above everything would press the bars flat.
  const shown = limitMicros !== null && limitMicros <= highest * 2 ? limitMicros : null;
  const filterOf = (series: keyof typeof COST_FILTERS) => ({
    ...COST_FILTERS[series],
    by: 'session',
  });
  return {
    ...sharedView(place, 'cost', points, (bucket) => listHref(place, 'spend', {}, bucket)),
    title: 'Cost by tier',
    caption:
      limitMicros !== null && shown === null
        ? `${caption} The daily budget (${formatCost(limitMicros)}) is above the visible range.`
        : caption,
    table,
    emptyText: isEmpty ? 'Nothing spent in this range.' : null,
    legend: COST_SERIES.map(
      (series): LegendItem => ({
        // As the table calls its columns.
        label: COST_WORDS[series],
        fill: COST_FILLS[series],
        shape: 'box',
        href: listHref(place, 'spend', filterOf(series)),
      }),
    ),
    drawing: {
      form: 'bars',
      series: COST_SERIES.map((key) => ({
        key,
        label: COST_WORDS[key],
        list: seriesList(place, 'spend', filterOf(key)),
        fill: COST_FILLS[key],
      })),
      rows: points.map((point) =>
        point ? Object.fromEntries(COST_SERIES.map((key) => [key, point[key] / MICROS])) : {},
      ),
      ticks: niceTicks(Math.max(highest, shown ?? 0) / MICROS, false).map((value) => ({
        value,
        label: dollars(value),
      })),
      limit: shown === null ? null : { value: shown / MICROS, label: `${formatCost(shown)} a day` },
    },
  };
}

/** Of an axis: no more places than it takes to tell its lines apart. */
function dollars(value: number): string {
  const minimumFractionDigits = Number.isInteger(value) ? 0 : 2;
  const places = { minimumFractionDigits, maximumFractionDigits: 12 };
  return `$${value.toLocaleString('en', places)}`;
}

/** The cost plot of the spend page: of the rows that its table sums. */
export function spendView(
  place: PlotPlace,
  plot: CostPlot,
  { csvHref, budgetAbsence }: { csvHref: string; budgetAbsence: string },
): PlotView {
  const view = costView(place, plot);
  return {
    ...view,
    kind: 'spend',
    title: TITLES[place.frame.size],
    caption: budgetAbsence === '' ? view.caption : `${view.caption} ${budgetAbsence}`,
    csvHref,
  };
}

const TITLES = { hour: 'Cost by hour', day: 'Cost by day', week: 'Cost by week' };
