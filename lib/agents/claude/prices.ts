/**
 * Prices for attempts that ended without telling their cost. Measured with the tested CLIs on
 * 2026-11-21, in US dollars per million tokens; the CLI's own figure is used where there is one.
 */

export const PRICES_MEASURED_ON = '2026-11-21';

interface Price {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** Requests with a longer context cost this many times as much. */
  long?: { aboveTokens: number; factor: number };
}

/** Beginnings of model names; the first that fits counts. */
const PRICES: [string, Price][] = [
  [
    'claude-haiku-5',
    {
      input: 0.1,
      output: 0.5,
      cacheRead: 0.01,
      cacheWrite: 0.125,
      long: { aboveTokens: 100_000, factor: 5 },
    },
  ],
  ['claude-sonnet-5-5', { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 }],
  ['claude-opus-5', { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 }],
  ['claude-fable-5-2', { input: 8, output: 40, cacheRead: 0.2, cacheWrite: 10 }],
  ['claude-haiku', { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 }],
  ['claude-sonnet', { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }],
  ['claude-opus', { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 }],
  ['claude-fable', { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 }],
];

/** The CLI prices a model it does not know like this, too. */
const UNKNOWN_MODEL: Price = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 };

/** US dollars of one request. An estimate: say so wherever it is shown. */
export function estimateCost(model: string, tokens: TokenCounts): number {
  // The demo's stand-in names and prices its models after the CLI's.
  const name = model.replace(/^demo-/, 'claude-');
  const price = PRICES.find(([prefix]) => name.startsWith(prefix))?.[1] ?? UNKNOWN_MODEL;
  const context = tokens.inputTokens + tokens.cacheReadTokens + tokens.cacheWriteTokens;
  const factor = price.long && context > price.long.aboveTokens ? price.long.factor : 1;
  const perMillion =
    tokens.inputTokens * price.input +
    tokens.outputTokens * price.output +
    tokens.cacheReadTokens * price.cacheRead +
    tokens.cacheWriteTokens * price.cacheWrite;
  return (perMillion * factor) / 1_000_000;
}

export interface TokenCounts {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
}
