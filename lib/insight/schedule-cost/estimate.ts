/** What a schedule will cost a day, in words. No figure is exact, and each says what it rests on. */
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
  /** "144 chains a day, about $4.30 with haiku." */
  sentence: string;
  /** What the figure rests on; null where there is none. */
  note: string | null;
}

const DAYS_OF_A_WEEK = 7;

/** @param chainsPerDay a mean where days differ; 0 for a schedule without slots */
export function estimateOf(chainsPerDay: number, basis: CostBasis | null): CostEstimate {
  const isDaily = chainsPerDay >= 1;
  const count = isDaily ? chainsPerDay : chainsPerDay * DAYS_OF_A_WEEK;
  const isExact = Math.abs(count - Math.round(count)) < 0.01;
  const shown = (
    count >= 10 || isExact ? Math.round(count) : Number(count.toFixed(1))
  ).toLocaleString('en');
  const chains = `${isExact ? '' : 'About '}${shown} ${shown === '1' ? 'chain' : 'chains'} a ${isDaily ? 'day' : 'week'}`;
  if (!basis || chainsPerDay === 0) return { sentence: `${chains}.`, note: null };
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
        sentence: `${chains}.`,
        note: `No price is known for ${basis.model}, so there is no estimate until chains have run.`,
      };
    case 'simulated':
      return {
        sentence: `${chains}. Costs are simulated with the demo agent; nobody is billed.`,
        note: null,
      };
  }
}
