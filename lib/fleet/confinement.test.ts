import { expect, it } from 'vitest';
import { limitsText } from './confinement';

it.each([
  [
    { processes: 1_024, of: 'agents', memoryMb: 6_000 } as const,
    '1,024 processes of each agent. 6,000 MB of memory.',
    false,
  ],
  [
    { processes: 1_024, of: 'sandboxes', memoryMb: null } as const,
    '1,024 processes of each agent in a sandbox. Memory isn’t limited.',
    true,
  ],
  [
    { processes: null, of: 'none', memoryMb: null } as const,
    'Processes aren’t limited: a fork bomb of an agent can take the host down. Memory isn’t limited.',
    true,
  ],
  [undefined, 'None.', true],
])('[BND-1.2] says what of %j holds, and what to do about the rest', (limits, what, hasFix) => {
  const text = limitsText(limits);
  expect(text.what).toBe(what);
  expect(text.fix !== '').toBe(hasFix);
});
