/**
 * Tokens that cost $0.03, $0.47 and $2.00 by the price table inside each version of the CLI, for
 * the default models; every column is used.
 */
import type { ReplyUsage } from '../../support/messages-api/reply';

export interface PricedTiers {
  /** Of each request of the tier, in order. */
  tier1: [ReplyUsage, ReplyUsage];
  tier2: [ReplyUsage, ReplyUsage, ReplyUsage];
  tier3: [ReplyUsage, ReplyUsage];
}

function tokens(
  inputTokens: number,
  outputTokens: number,
  cacheReadTokens: number,
  cacheWriteTokens: number,
): ReplyUsage {
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
}

const BY_VERSION: Record<string, PricedTiers> = {
  '2.1.197': {
    tier1: [tokens(1_000, 400, 10_000, 800), tokens(5_000, 2_000, 50_000, 4_000)],
    tier2: [
      tokens(1_000, 400, 10_000, 800),
      tokens(1_000, 400, 10_000, 800),
      // A tenth of a micro-dollar more than $0.44: this model's prices are all multiples of three.
      tokens(10_000, 25_333, 50_017, 4_000),
    ],
    tier3: [tokens(10_000, 16_000, 50_000, 4_000), tokens(20_000, 52_000, 100_000, 8_000)],
  },
  '2.1.330': {
    tier1: [tokens(10_000, 6_000, 50_000, 4_000), tokens(20_000, 44_000, 50_000, 4_000)],
    tier2: [
      tokens(1_000, 1_000, 10_000, 800),
      tokens(1_000, 1_000, 10_000, 800),
      tokens(10_000, 40_500, 50_000, 4_000),
    ],
    tier3: [tokens(10_000, 21_500, 50_000, 4_000), tokens(25_000, 67_000, 100_000, 8_000)],
  },
};

export function pricedTiers(cliVersion: string): PricedTiers {
  const found = BY_VERSION[cliVersion];
  if (!found) throw new Error(`The prices of Claude Code ${cliVersion} are not known here.`);
  return found;
}
