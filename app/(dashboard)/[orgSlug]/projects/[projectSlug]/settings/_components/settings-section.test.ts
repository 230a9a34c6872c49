import { expect, it } from 'vitest';
import { thresholdSentence } from './settings-section';

it.each([
  [
    0.8,
    [0.1, 0.85, null, 0.81],
    'At 0.80, chains hand off above 160k of 200k tokens. In the last 30 days: 2 of 4 escalations.',
  ],
  [
    0.9,
    [0.85],
    'At 0.90, chains hand off above 180k of 200k tokens. In the last 30 days: 0 of 1 escalation.',
  ],
  [
    0.5,
    [],
    'At 0.50, chains hand off above 100k of 200k tokens. No chain has escalated in the last 30 days.',
  ],
])('[RES-8.3] says what %d means', (threshold, shares, sentence) => {
  expect(thresholdSentence(threshold, shares)).toBe(sentence);
});
