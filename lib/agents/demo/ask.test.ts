/** What the demo agent reads out of a message and of what came before it. */
import { describe, expect, it } from 'vitest';
import { FROM_TRANSCRIPT, TRANSCRIPT } from '@/tests/support/demo/transcript';
import { readMessage } from './agent/input.mjs';
import { recollect } from './agent/recollection.mjs';

describe('a message', () => {
  it.each([
    ['Why?', 'Why?', null],
    ['Why?\n\nAnd how?\n\n(A new message. Answer it alone.)', 'Why?\n\nAnd how?', null],
    [FROM_TRANSCRIPT, 'Why did you restart web?', TRANSCRIPT],
  ])('of %j', (prompt, text, transcript) => {
    expect(readMessage(prompt)).toEqual({ text, transcript });
  });
});

it('[CNV-1.1] a transcript is all that a fresh conversation knows', () => {
  expect(recollect([], TRANSCRIPT)).toEqual({
    lines: [
      'Chain #12: Fixed by tier 2.',
      'Tier 2, session #19: web is healthy again.',
      '`democtl restart web` answered: restarted web',
    ],
    services: ['web', 'db'],
    chosen: 'db',
  });
  expect(recollect([], null)).toEqual({ lines: [], services: [], chosen: null });
});
