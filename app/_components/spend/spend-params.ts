import { ASK_TIER } from '@/lib/engine/statuses';
import {
  SPEND_GROUPS,
  SPEND_KINDS,
  type SpendGroup,
  type SpendQuery,
} from '@/lib/insight/spend/schema';
import { SPEND_RANGES, type SpendRange, spanOf, spanOfDay } from '@/lib/insight/spend/span';
import { PLOT_RANGE_LINKS } from '../charts/plot-ranges';
import { choiceParam, type Params, spanParam, textParam } from '../lists/list-params';

const TIERS = [1, 2, 3, ASK_TIER] as const;

export const SPEND_RANGE_LINKS: { value: SpendRange; label: string }[] = [
  ...PLOT_RANGE_LINKS,
  { value: 'month', label: 'This month' },
];

export interface SpendView {
  query: SpendQuery;
  /** Null where the address names a day or two moments. */
  range: SpendRange | null;
  /** `the last 7 days`, `20 Nov 2026`. */
  spanWords: string;
  /** Beside the span: something is narrowed. */
  isFiltered: boolean;
}

const RANGE_WORDS: Record<SpendRange, string> = {
  '24h': 'the last 24 hours',
  '7d': 'the last 7 days',
  '30d': 'the last 30 days',
  '90d': 'the last 90 days',
  month: 'this month',
};

/** What the address of a spend page asks for; anything unknown in it counts as not said. */
export function spendViewOf(
  params: Params,
  project: string | undefined,
  now: Date,
  fallback: SpendRange = '7d',
): SpendView {
  const day = spanOfDay(textParam(params, 'day') ?? '');
  const between = spanParam(params);
  const range = choiceParam(params, 'range', SPEND_RANGES) ?? fallback;
  const span = day ?? between ?? spanOf(range, now);
  const groupBy: SpendGroup =
    choiceParam(params, 'by', SPEND_GROUPS) ?? (day || between ? 'session' : 'day');
  const tier = TIERS.find((each) => String(each) === params.tier);
  const model = textParam(params, 'model');
  const kind = choiceParam(params, 'kind', SPEND_KINDS);
  return {
    query: { ...span, groupBy, project, tier, model, kind },
    range: day || between ? null : range,
    spanWords: day
      ? dayWords(day.from)
      : between
        ? `the span from ${momentWords(between.from)} to ${momentWords(between.to)}`
        : RANGE_WORDS[range],
    isFiltered: tier !== undefined || Boolean(model || kind || day || between),
  };
}

const DAY = { timeZone: 'UTC', day: 'numeric', month: 'short' } as const;

function dayWords(at: Date): string {
  return new Intl.DateTimeFormat('en-GB', DAY).format(at).replace('Sept', 'Sep');
}

function momentWords(at: Date): string {
  return `${dayWords(at)} ${at.toISOString().slice(11, 16)} UTC`;
}
