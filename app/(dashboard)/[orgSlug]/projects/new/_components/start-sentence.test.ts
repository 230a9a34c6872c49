import { expect, it } from 'vitest';
import { startSentence } from './start-sentence';

const FACTS = {
  project: 'Checkout',
  service: 'shop',
  pool: 'eu',
  checkEverySeconds: 60,
  scheduleWords: 'every 12h',
  hasRunner: true,
};

it.each([
  [
    {},
    'Checkout checks shop every 1m on pool eu. The agent looks when a check begins to fail, and every 12h.',
  ],
  [
    { scheduleWords: 'At 09:00 (Europe/Berlin)' },
    'Checkout checks shop every 1m on pool eu. The agent looks when a check begins to fail, and at 09:00 (Europe/Berlin).',
  ],
  [
    { scheduleWords: 'only manually' },
    'Checkout checks shop every 1m on pool eu. The agent looks when a check begins to fail, and when somebody runs a chain.',
  ],
  [
    { hasRunner: false },
    'Checkout checks shop every 1m on pool eu. The agent looks when a check begins to fail, and every 12h. Nothing is checked until a runner of pool eu is online.',
  ],
  [
    { checkEverySeconds: null },
    'On pool eu, the agent looks at shop every 12h, and Checkout is checked by it alone.',
  ],
  [
    { checkEverySeconds: Number.NaN },
    'Checkout checks shop on pool eu. The agent looks when a check begins to fail, and every 12h.',
  ],
])('[INC-1.2] what a new project will do: %o', (changes, sentence) => {
  expect(startSentence({ ...FACTS, ...changes })).toBe(sentence);
});
