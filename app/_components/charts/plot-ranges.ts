import { PLOT_RANGES, type PlotRange } from '@/lib/analytics/buckets';
import { choiceParam, type Params } from '../lists/list-params';

export const PLOT_RANGE_LINKS: { value: PlotRange; label: string }[] = [
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 d' },
  { value: '30d', label: '30 d' },
  { value: '90d', label: '90 d' },
];

/** What the address asks for; 7 days without it. */
export function plotRangeOf(params: Params): PlotRange {
  return choiceParam(params, 'range', PLOT_RANGES) ?? '7d';
}
