import { expect, it } from 'vitest';
import { asSentence, refusalText } from './gate';

it.each([
  ['the window is open', 'The window is open.'],
  ['tier 2 is turned off', 'Tier 2 is turned off.'],
  ['checkout is paused', 'checkout is paused.'],
])('starts a sentence with a capital, and leaves names: %s', (clause, sentence) => {
  expect(asSentence(clause)).toBe(sentence);
});

it('says why nothing starts, and then what to do', () => {
  const gate = { code: 'PAUSED', ends: 'passes', waitReason: 'pause' } as const;
  const said = { ...gate, because: 'Checkout is paused by Ana', remedy: 'Resume it first.' };
  expect(refusalText(said)).toBe('Checkout is paused by Ana. Resume it first.');
});
