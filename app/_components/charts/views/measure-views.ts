import { ASK_TIER } from '@/lib/engine/statuses';
import {
  COST_SERIES,
  COST_WORDS,
  type CostPlot,
  totalOf,
} from '@/lib/insight/analytics/plots/cost';
import type { RecoveryPlot, SpreadPoint } from '@/lib/insight/analytics/plots/recovery';
import { runnerHeader, type SlotsPlot } from '@/lib/insight/analytics/plots/slots';
import type { WaitPlot } from '@/lib/insight/analytics/plots/wait';
import { formatCost } from '@/lib/platform/format/cost';
import { encodeId } from '@/lib/platform/ids';
import type { Fill } from '../fill';
import type { Drawing, LegendItem, PlotView } from '../plot-view';
import { niceTicks, spanTicks, type Tick } from '../ticks';
import { tierFill } from './chain-views';
import { listHref, type PlotPlace, seriesList, sharedView } from './place';

export const MICROS = 1_000_000;

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
        ? `${caption} ${aboveRange('daily', limitMicros)}`
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
        stack: 'all',
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

/** `The daily budget ($50.00) is above the visible range.` */
export function aboveRange(kind: 'daily' | 'monthly', limitMicros: number): string {
  return `The ${kind} budget (${formatCost(limitMicros)}) is above the visible range.`;
}

/** Of an axis: no more places than it takes to tell its lines apart. */
export function dollars(value: number): string {
  const minimumFractionDigits = Number.isInteger(value) ? 0 : 2;
  const places = { minimumFractionDigits, maximumFractionDigits: 12 };
  return `$${value.toLocaleString('en', places)}`;
}

export function recoveryView(place: PlotPlace, plot: RecoveryPlot): PlotView {
  const { points, caption, table, isEmpty, open } = plot;
  const hasEnded = points.some((point) => point !== null);
  return {
    ...sharedView(place, 'recovery', points, (bucket) => listHref(place, 'chains', {}, bucket)),
    title: 'Time to recovery',
    caption,
    table,
    emptyText: isEmpty || !hasEnded ? 'No outage ended in this range.' : null,
    legend: [
      { label: 'p50', fill: { color: 'run', form: 'solid' }, shape: 'line', href: null },
      { label: 'p95', fill: { color: 'run', form: 'solid' }, shape: 'dash', href: null },
    ],
    notes: [
      {
        title: 'Still open',
        items: open.map((outage) => ({
          label: `${outage.project.name}: ${outage.service}`,
          detail: outage.since
            ? `${outage.status} since ${clockOf(outage.since, place)}`
            : outage.status,
          href: `${place.orgRoot}/projects/${outage.project.slug}/services/${encodeURIComponent(outage.service)}`,
        })),
      },
    ],
    drawing: spreadDrawing(
      points,
      ['run', 'run'],
      true,
      seriesList(place, 'chains', { recovered: '1' }),
    ),
  };
}

export function waitView(place: PlotPlace, plot: WaitPlot): PlotView {
  const { points, caption, table, isEmpty, pool, pools } = plot;
  return {
    ...sharedView(place, 'wait', points, (bucket) => listHref(place, 'sessions', {}, bucket)),
    title: 'Queue wait',
    caption,
    table,
    emptyText: isEmpty ? 'Nothing waited.' : null,
    choice:
      pool !== null && pools.length > 1
        ? { label: 'Pool', name: 'pool', value: pool, options: pools }
        : null,
    legend: [
      { label: 'p50', fill: { color: 'text', form: 'solid' }, shape: 'line', href: null },
      { label: 'p95', fill: { color: 'text-2', form: 'solid' }, shape: 'dash', href: null },
    ],
    drawing: spreadDrawing(points, ['text', 'text-2'], false, seriesList(place, 'sessions', {})),
  };
}

/** Times of a logarithmic axis have no zero: what took less stands on its lowest line. */
function spreadDrawing(
  points: readonly (SpreadPoint | null)[],
  [low, high]: [Fill['color'], Fill['color']],
  isBand: boolean,
  list: string,
): Drawing {
  const known = points.filter((point) => point !== null);
  const ticks = spanTicks(
    Math.min(...known.map((point) => point.p50), Number.MAX_SAFE_INTEGER),
    Math.max(...known.map((point) => point.p95), 1),
  );
  const floor = ticks[0]?.value ?? 1;
  const plain = ticks.length < 2;
  const rows = points.map((point) => ({
    p50: point && Math.max(plain ? 0 : floor, point.p50),
    p95: point && Math.max(plain ? 0 : floor, point.p95),
  }));
  const hollow = points.map(() => false);
  return {
    form: 'lines',
    series: [
      { key: 'p50', label: 'p50', list, color: low, isDashed: false, hollow },
      { key: 'p95', label: 'p95', list, color: high, isDashed: true, hollow },
    ],
    rows,
    ticks: plain ? SECONDS : ticks,
    isLog: !plain,
    band: isBand,
  };
}

const SECONDS: Tick[] = [
  { value: 0, label: '0s' },
  { value: 0.5, label: '0.5s' },
  { value: 1, label: '1s' },
];

function clockOf(at: Date, { timeZone }: PlotPlace): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at);
  return parts.replace(',', '').replace('Sept', 'Sep');
}

export function slotsView(place: PlotPlace, plot: SlotsPlot): PlotView {
  const { runners, caption, table, isEmpty } = plot;
  const points = place.frame.buckets.map((_, bucket) =>
    runners.some((runner) => runner.used[bucket] !== null) ? true : null,
  );
  return {
    ...sharedView(place, 'slots', points, (bucket) => listHref(place, 'sessions', {}, bucket)),
    title: 'Runner use',
    caption,
    table,
    emptyText: isEmpty ? 'No runner was online.' : null,
    legend: [],
    notes: [
      {
        title: 'Runners',
        items: runners.map((runner) => ({
          label: runner.name,
          detail: runner.slots === 1 ? '1 slot' : `${runner.slots} slots`,
          href: `${place.orgRoot}/runners/${encodeId('rnr', runner.id)}`,
        })),
      },
    ],
    drawing: {
      form: 'slots',
      runners: runners.map(({ id, name, slots, used, isAway }) => ({
        // As the table calls its columns.
        label: runnerHeader({ name, slots }),
        list: seriesList(place, 'sessions', { runner: encodeId('rnr', id) }),
        name,
        slots,
        used,
        isAway,
      })),
    },
  };
}
