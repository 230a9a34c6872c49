import { expect, it } from 'vitest';
import { parseChecks, unchecked, unhealthy } from '@/lib/agents/demo/agent/memory.mjs';
import type { CheckOutcome } from '@/lib/protocol/checks/run-check';
import { checkAnswer } from './requested-checks';

const outcome = (
  type: CheckOutcome['type'],
  status: CheckOutcome['status'],
  error = '',
): CheckOutcome => ({
  service: 'web',
  type,
  target: 'web',
  status,
  error,
  responseTimeMs: status === 'healthy' ? 12 : null,
});

it.each([
  [[], 'web: no checks are configured'],
  [[outcome('http', 'healthy')], 'web: healthy\n  http web: healthy (12 ms)'],
  [
    [
      outcome('http', 'healthy'),
      outcome('container', 'unknown', 'There is no docker on this runner.'),
    ],
    'web: unknown\n  http web: healthy (12 ms)\n  container web: unknown, the check could not run. There is no docker on this runner.',
  ],
  [
    [outcome('http', 'down', 'Connection refused.'), outcome('container', 'unknown', 'No docker.')],
    'web: down\n  http web: down. Connection refused.\n  container web: unknown, the check could not run. No docker.',
  ],
  [[outcome('http', 'degraded', 'Slow.'), outcome('tcp', 'unknown', 'x')], /^web: degraded\n/],
])('[INC-1.1] answers the agent what the checks found: %j', (outcomes, expected) => {
  expect(checkAnswer('web', outcomes)).toEqual(
    typeof expected === 'string' ? expected : expect.stringMatching(expected),
  );
});

it('[INC-1.1] is understood by the demo agent, which repairs no service that it can’t check', () => {
  const services = parseChecks(
    [
      checkAnswer('web', [outcome('container', 'unknown', 'No docker.')]),
      checkAnswer('db', [outcome('tcp', 'down', 'Connection refused.')]),
    ].join('\n'),
  );
  expect(unhealthy(services)).toEqual(['db']);
  expect(unchecked(services)).toEqual(['web']);
});
