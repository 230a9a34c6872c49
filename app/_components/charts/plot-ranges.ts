import { PLOT_RANGES, type PlotRange, type PlotSpan } from '@/lib/insight/analytics/buckets';
import { choiceParam, type Params, spanParam } from '../lists/list-params';

export const PLOT_RANGE_LINKS: { value: PlotRange; label: string }[] = [
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 d' },
  { value: '30d', label: '30 d' },
  { value: '90d', label: '90 d' },
];

/** What the address asks for: a span chosen on a plot, or a range; 7 days without either. */
export function plotSpanOf(params: Params): PlotSpan {
  return spanParam(params) ?? choiceParam(params, 'range', PLOT_RANGES) ?? '7d';
}

/** As an address says it. */
export function spanQuery(span: PlotSpan): Record<string, string> {
  if (typeof span === 'string') return { range: span };
  return { from: span.from.toISOString(), to: span.to.toISOString() };
}

/** The range whose link is the current one; null for a span. */
export function rangeOf(span: PlotSpan): PlotRange | null {
  return typeof span === 'string' ? span : null;
}
