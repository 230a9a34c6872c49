import { expect, it } from 'vitest';
import { isModelAllowed } from './allowed-models';

it.each<[ofTier: string, requested: string, isAllowed: boolean]>([
  // As both tested CLIs resolve what a tier names.
  ['haiku', 'claude-haiku-4-5-20251001', true],
  ['haiku', 'claude-haiku-5-5', true],
  ['sonnet', 'claude-sonnet-5', true],
  ['sonnet[1m]', 'claude-sonnet-5-5', true],
  ['opus', 'claude-opus-4-8', true],
  ['opus', 'claude-opus-5-5', true],
  ['default', 'claude-opus-5-5', true],
  ['fable', 'claude-fable-5-2', true],
  ['fable', 'claude-opus-5-5', true],
  ['claude-opus-4-1-20250805', 'claude-opus-4-8', true],
  ['claude-3-5-sonnet-20241022', 'claude-sonnet-5', true],
  ['sonnet', 'claude-3-7-sonnet-20250219', true],
  // Small tasks, such as the sub-agent that searches.
  ['opus', 'claude-haiku-4-5-20251001', true],
  ['local/model:7b', 'claude-haiku-5-5', true],
  // Names of other providers.
  ['local/model:7b', 'local/model:7b', true],
  ['claude-nonexistent-9', 'claude-nonexistent-9', true],

  ['haiku', 'claude-opus-5', false],
  ['haiku', 'claude-sonnet-5-5', false],
  ['sonnet', 'claude-opus-5-5', false],
  ['sonnet', 'claude-fable-5-2', false],
  ['opus', 'claude-fable-5-2', false],
  ['opus', 'claude-sonnet-5', false],
  ['claude-sonnet-5', 'claude-opus-5', false],
  ['local/model:7b', 'local/model:70b', false],
  ['haiku', 'opus', false],
  ['haiku', 'claude-opus-haiku', false],
  ['haiku', 'claude-haikus-9', false],
  ['haiku', ' claude-haiku-5', false],
  ['haiku', '', false],
])('[HLD-2.2] a tier of %s, a request for %s: %s', (ofTier, requested, isAllowed) => {
  expect(isModelAllowed(ofTier, requested)).toBe(isAllowed);
});
