import type { ProjectPlots } from '@/lib/insight/analytics/get-plots';
import type { ChainOutcome } from '@/lib/insight/analytics/labels';
import { type EscalationPlot, FEW, type Rate } from '@/lib/insight/analytics/plots/escalation';
import { allOf, type HopsPlot } from '@/lib/insight/analytics/plots/hops';
import { OUTCOME_WORDS, type OutcomesPlot } from '@/lib/insight/analytics/plots/outcomes';
import {
  type EscalationTotals,
  totalsLines,
  totalsSentence,
} from '@/lib/insight/chains/escalation-words';
import type { Fill } from '../fill';
import type { PlotView } from '../plot-view';
import { niceTicks, type Tick } from '../ticks';
import { costView } from './cost-views';
import { listHref, type PlotPlace, seriesList, sharedView } from './place';

/** `value`: what resuming saved and cost in the same range; null where it isn't shown. */
export function plotViews(
  base: Omit<PlotPlace, 'frame'>,
  { frame, outcomes, cost, escalation, hops }: ProjectPlots,
  value: EscalationTotals | null = null,
): PlotView[] {
  const place = { ...base, frame };
  return [
    outcomesView(place, outcomes),
    costView(place, cost),
    escalationView(place, escalation),
    hopsView(place, hops, value),
  ];
}

/** One tone for what means the same; the form tells its members apart. */
const OUTCOME_FILLS: Record<ChainOutcome, Fill> = {
  needs_human: { color: 'bad', form: 'striped' },
  failed: { color: 'bad', form: 'solid' },
  lost: { color: 'bad', form: 'hollow' },
  findings: { color: 'wait', form: 'solid' },
  suppressed: { color: 'wait', form: 'striped' },
  stopped: { color: 'idle', form: 'solid' },
  skipped: { color: 'idle', form: 'hollow' },
  fixed: { color: 'ok', form: 'striped' },
  healthy: { color: 'ok', form: 'solid' },
};

function outcomesView(place: PlotPlace, plot: OutcomesPlot): PlotView {
  const { outcomes, points, caption, table, isEmpty } = plot;
  const rows = points.map((point) => point ?? {});
  const highest = Math.max(
    0,
    ...rows.map((row) => Object.values(row).reduce((sum, count) => sum + count, 0)),
  );
  return {
    ...sharedView(place, 'outcomes', points, (bucket) => listHref(place, 'chains', {}, bucket)),
    title: 'Chains by outcome',
    caption,
    table,
    emptyText: isEmpty ? 'No chains in this range.' : null,
    legend: outcomes.map((outcome) => ({
      label: OUTCOME_WORDS[outcome],
      fill: OUTCOME_FILLS[outcome],
      shape: 'box',
      href: listHref(place, 'chains', { outcome }),
    })),
    drawing: {
      form: 'bars',
      series: outcomes.map((key) => ({
        key,
        label: OUTCOME_WORDS[key],
        list: seriesList(place, 'chains', { outcome: key }),
        fill: OUTCOME_FILLS[key],
      })),
      rows,
      ticks: countTicks(highest),
      limit: null,
    },
  };
}

const RATES = [
  { key: 'toTier2', label: 'Tier 1 to 2', color: 'tier-2', filters: { escalated: '2' } },
  { key: 'toTier3', label: 'Tier 2 to 3', color: 'tier-3', filters: { escalated: '3' } },
] as const;

function escalationView(place: PlotPlace, plot: EscalationPlot): PlotView {
  const { points, caption, table, isEmpty } = plot;
  const isFew = (rate: Rate | undefined) => rate !== undefined && rate.whole < FEW;
  return {
    ...sharedView(place, 'escalation', points, (bucket) => listHref(place, 'chains', {}, bucket)),
    title: 'Escalation rate',
    caption,
    table,
    emptyText: isEmpty ? 'No chain reached a decision in this range.' : null,
    legend: RATES.map(({ key, label, color, filters }) => ({
      label,
      fill: { color, form: 'solid' },
      shape: key === 'toTier3' ? 'dash' : 'line',
      href: listHref(place, 'chains', filters),
    })),
    drawing: {
      form: 'lines',
      series: RATES.map(({ key, label, color, filters }) => ({
        key,
        label,
        color,
        list: seriesList(place, 'chains', filters),
        isDashed: key === 'toTier3',
        hollow: points.map((point) => isFew(point?.[key])),
      })),
      rows: points.map((point) => ({
        toTier2: shareOf(point?.toTier2),
        toTier3: shareOf(point?.toTier3),
      })),
      ticks: SHARE_TICKS,
    },
  };
}

const HOP_FILLS: Record<'resumed' | 'handoff' | 'fallback', Fill> = {
  resumed: { color: 'idle', form: 'solid' },
  handoff: { color: 'idle', form: 'striped' },
  fallback: { color: 'idle', form: 'hollow' },
};

const HOP_SERIES = [
  { key: 'resumed', label: 'Resumed', hop: 'resume' },
  { key: 'handoff', label: 'Handed off', hop: 'handoff' },
  { key: 'fallback', label: 'Handed off after a failed resume', hop: 'fallback' },
] as const;

function hopsView(place: PlotPlace, plot: HopsPlot, value: EscalationTotals | null): PlotView {
  const { points, caption, table, isEmpty, reasons } = plot;
  // A plot of escalations leads to the sessions that they started: a chain may have two.
  const hrefOf = (filters: Record<string, string>, bucket?: number) =>
    listHref(place, 'sessions', filters, bucket);
  return {
    ...sharedView(place, 'hops', points, (bucket) => hrefOf({ hop: 'any' }, bucket)),
    title: 'Resume or handoff',
    caption: value ? `${caption} ${totalsSentence(value)}` : caption,
    table,
    emptyText: isEmpty ? 'No escalation in this range.' : null,
    legend: HOP_SERIES.map(({ key, label, hop }) => ({
      label,
      fill: HOP_FILLS[key],
      shape: 'box',
      href: hrefOf({ hop }),
    })),
    notes: [
      {
        title: 'Why it was handed off',
        items: reasons.slice(0, MAX_REASONS).map(({ code, words, count }) => ({
          label: words,
          detail: count === 1 ? '1 escalation' : `${count} escalations`,
          href: hrefOf({ hop: 'handoff', reason: code }),
        })),
      },
      {
        title: 'What resuming was worth',
        items: value ? totalsLines(value).map((line) => ({ ...line, href: null })) : [],
      },
    ],
    drawing: {
      form: 'bars',
      series: HOP_SERIES.map(({ key, label, hop }) => ({
        key,
        label,
        list: seriesList(place, 'sessions', { hop }),
        fill: HOP_FILLS[key],
      })),
      rows: points.map((point) =>
        point
          ? Object.fromEntries(
              HOP_SERIES.map(({ key }) => [key, (point[key] / allOf(point)) * 100]),
            )
          : {},
      ),
      ticks: SHARE_TICKS,
      limit: null,
    },
  };
}

const MAX_REASONS = 5;

const SHARE_TICKS: Tick[] = [0, 25, 50, 75, 100].map((value) => ({ value, label: `${value}%` }));

function shareOf(rate: Rate | undefined): number | null {
  return rate && rate.whole > 0 ? (rate.part / rate.whole) * 100 : null;
}

function countTicks(highest: number): Tick[] {
  return niceTicks(highest, true).map((value) => ({ value, label: value.toLocaleString('en') }));
}
