import { PLOT_RANGES, type PlotRange, type PlotSpan } from '@/lib/insight/analytics/buckets';
import { choiceParam, type Params, spanParam } from '../lists/list-params';

export const PLOT_RANGE_LINKS: { value: PlotRange; label: string }[] = [
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 d' },
  { value: '30d', label: '30 d' },
  { value: '90d', label: '90 d' },
];

/** Returns the span or range that the address asks for; `fallback` where it names neither. */
export function plotSpanOf(params: Params, fallback: PlotRange = '7d'): PlotSpan {
  return spanParam(params) ?? choiceParam(params, 'range', PLOT_RANGES) ?? fallback;
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
