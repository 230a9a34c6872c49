import { expect, it } from 'vitest';
import { comparedText, factWords } from './compared-text';

it.each([
  ['ageSeconds', 7200, 'age: 2h'],
  ['ttlSeconds', 259_200, 'maximum age: 3d'],
  ['ttlSeconds', null, 'maximum age: —'],
  ['waitLeftMs', 119_611, 'time left to wait: 1m 59s'],
  ['maxTranscriptBytes', 64_000_000, 'largest transcript allowed: 64 MB'],
  ['usedTokens', 4678, 'context in use: 4,678'],
  ['isHead', true, 'newest conversation: yes'],
  ['holdsFence', true, 'claim still valid: yes'],
  ['sameInode', true, 'same work directory on disk: yes'],
  ['hasPointer', false, 'conversation recorded: no'],
  ['edge', 'proven', 'these two models: tested together'],
  ['edge', 'unproven', 'these two models: not tested together'],
  ['sameProject', true, 'same project: yes'],
  ['threshold', 0.8, 'resume limit: 80%'],
  ['share', 0.07761, 'share in use: 7.8%'],
  ['retiredFor', null, 'given up: no'],
  ['problem', null, 'incomplete or malformed facts: none'],
  ['retiredFor', 'transcript_changed', 'given up: transcript changed'],
  ['cliVersion', '2.1.197', 'CLI version here: 2.1.197'],
  ['services', ['web'], 'services: web'],
  ['hasNothingKnown', true, 'nothing known: yes'],
  ['quietSeconds', 60, 'quiet: 1m'],
])('%s %s', (name, value, text) => {
  expect(comparedText(name, value)).toBe(text);
});

it('reads a fact by its name only, without a value that an object has by nature', () => {
  expect(factWords('toString')).toBe('to string');
});
