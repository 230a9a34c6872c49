import { expect, it } from 'vitest';
import { DEFAULT_CHECKPOINTS } from '@/lib/projects/checkpoint-settings';
import { checkpointSentence, monitoringSentence, noteBeside } from './setting-notes';

it.each([
  [
    {},
    'One after 10 prompts and tool results, or after 15m; at most 50 per session, kept for 7d. A retry, the next tier and a chain that starts within 4h get up to 2,000 characters of the latest.',
  ],
  [{ enabled: false }, 'No checkpoints are written or recovered. Existing ones are kept for 7d.'],
  [{ promptInterval: Number.NaN }, ''],
])('[CKP-7.1] %j reads as its effect', (changes, sentence) => {
  expect(checkpointSentence({ ...DEFAULT_CHECKPOINTS, ...changes })).toBe(sentence);
});

it.each([
  [{ everySeconds: null, failures: 2, lastResults: 3 }, ''],
  [{ everySeconds: 60, failures: Number.NaN, lastResults: 3 }, ''],
  [
    { everySeconds: 60, failures: 1, lastResults: 1 },
    'A service that fails is noticed within 1m, by a single result.',
  ],
  [
    { everySeconds: 30, failures: 2, lastResults: 3 },
    'A service that fails is noticed within 1m: once 2 of the last 3 results of a check fail. It is healthy again after 2 that pass in a row.',
  ],
])('[INC-1.1] says what the settings mean: %j', (settings, sentence) => {
  expect(monitoringSentence(settings)).toBe(sentence);
});

it.each([
  [12.5, 'warns at $10.00, stops at $12.50'],
  [null, 'no limit'],
  [0, 'no limit'],
])('says when a budget of %d warns and stops', (usd, sentence) => {
  expect(noteBeside('budgets.dayUsd', usd)).toBe(sentence);
});
