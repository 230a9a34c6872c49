import { expect, it } from 'vitest';
import { type AskedChain, chainQuestions } from './chain-questions';

const HEALTHY: AskedChain = {
  number: 5,
  outcome: 'healthy',
  servicesAffected: [],
  highestTier: 1,
  totalCostUsd: 0.004,
  hasActed: false,
  restarted: [],
};
const FIXED = {
  ...HEALTHY,
  outcome: 'fixed',
  servicesAffected: ['web'],
  highestTier: 2,
  totalCostUsd: 0.04,
  hasActed: true,
  restarted: ['web'],
};

it.each([
  [HEALTHY, ['How do things stand?', 'What would you do next?']],
  [
    FIXED,
    ['Why did you restart web?', 'What changed?', 'Is web healthy now?', 'What would you do next?'],
  ],
  [
    { ...FIXED, outcome: 'needs_human', hasActed: false, restarted: [], highestTier: 1 },
    ['Why does Chain #5 need a human?', 'Is web healthy now?', 'What would you do next?'],
  ],
  [
    { ...FIXED, outcome: 'findings', hasActed: false, restarted: [], highestTier: 2 },
    [
      'What was wrong with web?',
      'Is web healthy now?',
      'What would you do next?',
      'What did the $0.04 go to?',
    ],
  ],
])('[PAG-2.2] a chain suggests questions about what it did %#', (chain, questions) => {
  expect(chainQuestions(chain)).toEqual(questions);
});
