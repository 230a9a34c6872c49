import { expect, it } from 'vitest';
import { comparedText } from './compared-text';

it.each([
  ['ageSeconds', 7200, 'age: 2h'],
  ['ttlSeconds', 259_200, 'ttl: 3d'],
  ['ttlSeconds', null, 'ttl seconds: —'],
  ['waitLeftMs', 119_611, 'wait left: 1m 59s'],
  ['maxTranscriptBytes', 64_000_000, 'max transcript: 64 MB'],
  ['usedTokens', 4678, 'used tokens: 4,678'],
  ['isHead', true, 'head: yes'],
  ['hasPointer', false, 'pointer: no'],
  ['sameProject', true, 'same project: yes'],
  ['threshold', 0.8, 'threshold: 80%'],
  ['share', 0.07761, 'share: 7.8%'],
  ['retiredFor', null, 'retired for: —'],
  ['cliVersion', '2.1.197', 'cli version: 2.1.197'],
  ['services', ['web'], 'services: web'],
])('%s %s', (name, value, text) => {
  expect(comparedText(name, value)).toBe(text);
});
