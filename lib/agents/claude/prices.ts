/** Measured with the tested CLIs. The CLI's own figure is used where there is one. */
import type { PriceTable } from '../prices';

export const CLAUDE_PRICES: PriceTable = {
  measuredOn: '2026-11-21',
  models: [
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
  ],
  // The CLI prices a model it does not know like this, too.
  unknownModel: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  webSearch: 0.01,
};
