import { FORECAST, type MonthPlot, SO_FAR } from '@/lib/insight/spend/month';
import { formatCost } from '@/lib/platform/format/cost';
import type { Fill } from '../fill';
import type { PlotColumn, PlotView } from '../plot-view';
import { niceTicks } from '../ticks';
import { aboveRange, costView, dollars, MICROS } from './measure-views';
import type { PlotPlace } from './place';

/** The cost plot of the spend page: of the rows that its table sums. */
export function spendView(
  place: PlotPlace,
  plot: Parameters<typeof costView>[1],
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

const SPENT: Fill = { color: 'idle', form: 'solid' };
const AHEAD: Fill = { color: 'idle', form: 'hollow' };

/** The month so far and its forecast, against the budget of the month. */
export function monthView(
  /** Of the page, with the filters that its rows keep: "/acme/spend?project=checkout". */
  list: string,
  plot: MonthPlot,
  { csvHref, budgetAbsence }: { csvHref: string; budgetAbsence: string },
): PlotView {
  const { days, limitMicros, forecast, caption, table, monthMicros } = plot;
  const highest = Math.max(
    ...days.map((day) => (day.soFarMicros ?? 0) + (day.aheadMicros ?? 0)),
    0,
  );
  const shown = limitMicros !== null && limitMicros <= highest * 2 ? limitMicros : null;
  const above =
    limitMicros !== null && shown === null ? ` ${aboveRange('monthly', limitMicros)}` : '';
  const monthStart = days[0]?.startAt ?? new Date(0);
  const join = list.includes('?') ? '&' : '?';
  return {
    kind: 'month',
    title: 'Month against budget',
    caption: `${caption}${above}${budgetAbsence === '' ? '' : ` ${budgetAbsence}`}`,
    bucketWords: 'Summed up to each day, UTC.',
    table,
    csvHref,
    notes: [],
    choice: null,
    emptyText: monthMicros === 0 && forecast === null ? 'Nothing spent this month.' : null,
    columns: days.map((day): PlotColumn => {
      const isAhead = day.soFarMicros === null;
      const to = day.endAt.toISOString();
      return {
        short: day.label,
        long: day.label,
        isCurrent: day.isToday,
        isEmpty: isAhead && day.aheadMicros === null,
        isForecast: isAhead,
        // The sum up to a day is of all rows since the first.
        href: isAhead ? null : `${list}${join}by=day&from=${monthStart.toISOString()}&to=${to}`,
        from: day.startAt.toISOString(),
        to,
      };
    }),
    legend: [
      { label: SO_FAR, fill: SPENT, shape: 'box', href: `${list}${join}by=day&range=month` },
      ...(forecast ? [{ label: FORECAST, fill: AHEAD, shape: 'box' as const, href: null }] : []),
    ],
    drawing: {
      form: 'bars',
      series: [
        {
          key: 'soFar',
          label: SO_FAR,
          list: `${list}${join}by=day`,
          fill: SPENT,
          stack: 'all',
          isSum: true,
        },
        { key: 'ahead', label: FORECAST, list: null, fill: AHEAD, stack: 'all' },
      ],
      rows: days.map(({ soFarMicros, aheadMicros }) => ({
        soFar: soFarMicros === null ? null : soFarMicros / MICROS,
        ahead: aheadMicros === null ? null : aheadMicros / MICROS,
      })),
      ticks: niceTicks(Math.max(highest, shown ?? 0) / MICROS, false).map((value) => ({
        value,
        label: dollars(value),
      })),
      limit:
        shown === null ? null : { value: shown / MICROS, label: `Budget ${formatCost(shown)}` },
    },
  };
}
