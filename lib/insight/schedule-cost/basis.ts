import { estimateCost, type TokenCounts } from '@/lib/agents/prices';
import { AGENTS } from '@/lib/agents/registry';
import type { HarnessName } from '@/lib/protocol/spec';
import type { CostBasis } from './estimate';

/** Fewer chains say little about the next ones. */
export const ENOUGH_CHAINS = 5;

/** Of a chain that finds everything healthy: some eight requests over a short conversation. */
const HEALTHY_CHAIN: TokenCounts = {
  inputTokens: 0,
  cacheWriteTokens: 12_000,
  cacheReadTokens: 80_000,
  outputTokens: 1_500,
};

export interface ChainCosts {
  harness: string;
  model: string;
  chains: number;
  medianMicros: number;
}

/** What tier 1 runs with. */
export interface Observer {
  harness: HarnessName;
  model: string;
}

/**
 * What a chain costs that ends in tier 1: from the project's own chains where there are enough, then
 * from the organization's, then by the dated price table.
 */
export function basisOf(
  { harness, model }: Observer,
  ofProject: readonly ChainCosts[],
  ofOrganization: readonly ChainCosts[],
): CostBasis {
  const agent = AGENTS[harness];
  if (!agent.hasModel) return { kind: 'simulated' };
  const enough = (rows: readonly ChainCosts[]) =>
    rows.find(
      (row) => row.harness === harness && row.model === model && row.chains >= ENOUGH_CHAINS,
    );
  const own = enough(ofProject);
  const found = own ?? enough(ofOrganization);
  if (found) {
    const { chains, medianMicros } = found;
    return { kind: 'history', of: own ? 'project' : 'organization', chains, medianMicros, model };
  }
  const priced = pricedName(harness, model);
  if (priced === null) return { kind: 'unknown_price', model };
  return {
    kind: 'assumed',
    micros: estimateCost(agent.prices, priced, HEALTHY_CHAIN) * 1_000_000,
    tokens: Object.values(HEALTHY_CHAIN).reduce((sum, count) => sum + count, 0),
    model,
    pricesOf: agent.prices.measuredOn,
  };
}

/** The name under which the table prices a model; an alias is priced as its family. */
function pricedName(harness: HarnessName, model: string): string | null {
  const { models } = AGENTS[harness].prices;
  const names = [model, `claude-${model}`];
  return names.find((name) => models.some(([prefix]) => name.startsWith(prefix))) ?? null;
}
