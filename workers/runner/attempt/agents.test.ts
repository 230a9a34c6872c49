import { expect, it } from 'vitest';
import { passThrough } from './agents';

it.each([
  ['PATH', true],
  ['LC_ALL', true],
  ['ANTHROPIC_BASE_URL', false],
  ['KUBECONFIG', true],
  ['HOME', false],
  ['ANTHROPIC_API_KEY', false],
  ['AWS_SECRET_ACCESS_KEY', false],
  ['TIERWATCH_RUNNER_KEY', false],
  ['REDIS_URL', false],
  ['LD_PRELOAD', false],
])('%s: %s', (name, isPassed) => {
  expect(name in passThrough({ [name]: 'x' }, ['KUBECONFIG'])).toBe(isPassed);
});

it('leaves out what is not set', () => {
  expect(passThrough({ PATH: undefined }, [])).toEqual({});
});
