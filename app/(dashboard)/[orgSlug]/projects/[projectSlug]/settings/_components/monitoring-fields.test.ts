import { expect, it } from 'vitest';
import { monitoringSentence } from './monitoring-fields';

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
