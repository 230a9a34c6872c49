import { expect, it } from 'vitest';
import { CHAIN_TRIGGERS } from './statuses';
import { startRequestSentence } from './triggers';

it.each([
  ['manual', 'An operator also asks: Mind the disk.'],
  ['api', 'An API client also asks: Mind the disk.'],
  ['check', 'The checks report: Mind the disk.'],
  ['alert', 'An alert reports: Mind the disk.'],
] as const)('names who made the request: %s', (trigger, sentence) => {
  expect(startRequestSentence(trigger, 'Mind the disk.')).toBe(sentence);
});

it.each(CHAIN_TRIGGERS)('returns null without a request: %s', (trigger) => {
  expect(startRequestSentence(trigger, null)).toBeNull();
});
