import { expect, it } from 'vitest';
import { goneEffects, goneWords } from './turn-acts';

it.each([
  [0, 'Turn 3'],
  [1, 'Turn 3 and the one after it'],
  [4, 'Turn 3 and the 4 after it'],
])('with %i turns after it: %s', (laterTurns, words) => {
  expect(goneWords({ position: 3, laterTurns })).toBe(words);
});

it('says what else ends with it', () => {
  expect(goneEffects({ position: 3, laterTurns: 0, isMoving: true })).toEqual([
    'Turn 3 leaves the history: no agent reads it again.',
    'A process that is still running is stopped within 10 s.',
    'What was spent and what the agent did stay on record.',
  ]);
  expect(goneEffects({ position: 3, laterTurns: 2, isMoving: false })).toHaveLength(2);
});
