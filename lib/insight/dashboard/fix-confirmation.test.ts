import { expect, it } from 'vitest';
import { fixConfirmation } from './fix-confirmation';

const fixed = { number: 12, outcome: 'fixed' };

it.each([
  [[], null],
  [[{ number: 13, outcome: null }], null],
  [[{ number: 13, outcome: 'healthy' }], 'confirmed by Chain #13'],
  [[{ number: 13, outcome: 'needs_human' }], 'came back in Chain #13'],
  [
    [
      { number: 13, outcome: 'stopped' },
      { number: 14, outcome: 'healthy' },
    ],
    'confirmed by Chain #14',
  ],
  [
    [
      { number: 14, outcome: 'fixed' },
      { number: 13, outcome: 'healthy' },
    ],
    'confirmed by Chain #13',
  ],
  [[{ number: 11, outcome: 'healthy' }], null],
])('a fix is judged by the next chain that checked: %j', (newer, words) => {
  expect(fixConfirmation(fixed, newer)).toBe(words);
});
