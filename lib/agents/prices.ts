/** What requests cost by list prices, for figures that an agent CLI does not report itself. */

export interface TokenCounts {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
}

/** US dollars per million tokens. */
interface Price {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** Requests with a longer context cost this many times as much. */
  long?: { aboveTokens: number; factor: number };
}

/** Plain data, so that a page can estimate a running session with the table of its agent. */
export interface PriceTable {
  /** Day on which the prices were measured; stored with every estimate. */
  measuredOn: string;
  /** Beginnings of model names; the first that fits counts. */
  models: readonly (readonly [prefix: string, price: Price])[];
  unknownModel: Price;
  /** US dollars for each search that the provider makes; absent: its models make none. */
  webSearch?: number;
}

/** What is charged for one request. */
export interface Charged extends TokenCounts {
  /** Searches that the provider made. */
  webSearches?: number;
}

/** Estimates the cost of one request in US dollars. Mark it as estimated wherever it is shown. */
export function estimateCost(prices: PriceTable, model: string, tokens: Charged): number {
  const price = prices.models.find(([prefix]) => model.startsWith(prefix))?.[1];
  const { long, ...rates } = price ?? prices.unknownModel;
  const context = tokens.inputTokens + tokens.cacheReadTokens + tokens.cacheWriteTokens;
  const factor = long && context > long.aboveTokens ? long.factor : 1;
  const perMillion =
    tokens.inputTokens * rates.input +
    tokens.outputTokens * rates.output +
    tokens.cacheReadTokens * rates.cacheRead +
    tokens.cacheWriteTokens * rates.cacheWrite;
  const searches = (tokens.webSearches ?? 0) * (prices.webSearch ?? 0);
  return (perMillion * factor) / 1_000_000 + searches;
}
