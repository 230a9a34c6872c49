import { expect, it } from 'vitest';
import { CHAIN_TRIGGERS } from './statuses';
import { requestSentence } from './triggers';

it.each([
  ['manual', 'An operator asks for this besides: Mind the disk.'],
  ['api', 'The caller of the API asks for this besides: Mind the disk.'],
] as const)('says who asked for something with a start: %s', (trigger, sentence) => {
  expect(requestSentence(trigger, 'Mind the disk.')).toBe(sentence);
});

it.each(CHAIN_TRIGGERS)('says nothing without a text: %s', (trigger) => {
  expect(requestSentence(trigger, null)).toBeNull();
});
