/** What a schedule will cost on a healthy day, in words. No figure is exact, and each says what it rests on. */
import { formatCost } from '@/lib/platform/format/cost';
import { formatCount, formatCounted } from '@/lib/platform/format/count';

/** What one chain is expected to cost. */
export type CostBasis =
  | {
      kind: 'history';
      of: 'project' | 'organization';
      /** Chains that ended in tier 1, of the same agent and model. */
      chains: number;
      medianMicros: number;
      model: string;
    }
  /** By list prices, for a number of tokens that is assumed. */
  | { kind: 'assumed'; micros: number; tokens: number; model: string; pricesOf: string }
  | { kind: 'unknown_price'; model: string }
  /** An agent without a model. */
  | { kind: 'simulated' };

export interface CostEstimate {
  /** "A healthy day: 144 chains by schedule, about $4.30 with haiku." */
  sentence: string;
  /** What the figure rests on; null where there is none. */
  note: string | null;
}

const DAYS_OF_A_WEEK = 7;

/**
 * Returns what a day costs on which nothing fails, and so nothing but the schedule starts chains.
 *
 * @param chainsPerDay a mean where days differ; 0 for a schedule without slots
 * @param basis null while it isn't known
 */
export function estimateOf(chainsPerDay: number, basis: CostBasis | null): CostEstimate {
  const isDaily = chainsPerDay >= 1;
  const count = isDaily ? chainsPerDay : chainsPerDay * DAYS_OF_A_WEEK;
  const isExact = Math.abs(count - Math.round(count)) < 0.01;
  const shown = (
    count >= 10 || isExact ? Math.round(count) : Number(count.toFixed(1))
  ).toLocaleString('en');
  const span = isDaily || count === 0 ? 'day' : 'week';
  const chains = `A healthy ${span}: ${isExact ? '' : 'about '}${shown} ${shown === '1' ? 'chain' : 'chains'} by schedule`;
  // Checks need no model, whatever one would cost.
  if (count === 0) return { sentence: `${chains}, so it costs ${formatCost(0)}.`, note: null };
  const unknown = `${chains}. What it costs is unknown.`;
  if (!basis) return { sentence: unknown, note: null };
  const costing = (micros: number, model: string) =>
    `${chains}, about ${formatCost(Math.round(count * micros))} with ${model}.`;
  switch (basis.kind) {
    case 'history':
      return {
        sentence: costing(basis.medianMicros, basis.model),
        note: `Estimate from the median of ${formatCounted(basis.chains, 'chain')} of this ${basis.of} that ended in tier 1. Escalations cost extra.`,
      };
    case 'assumed':
      return {
        sentence: costing(basis.micros, basis.model),
        note: `Estimate for healthy chains: assumes ${formatCount(basis.tokens)} tokens each, most of them from the cache, at list prices of ${basis.pricesOf}. Escalations cost extra.`,
      };
    case 'unknown_price':
      return {
        sentence: unknown,
        note: `No price is known for ${basis.model}, so there is no estimate until chains have run.`,
      };
    case 'simulated':
      return {
        sentence: `${chains}. Costs are simulated with the demo agent; nobody is billed.`,
        note: null,
      };
  }
}
