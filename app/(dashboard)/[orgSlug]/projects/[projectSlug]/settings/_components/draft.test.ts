import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '@/lib/projects/new-project';
import { changesDecisions, changesRules, onTopOf, takesEffect, unsavedChanges } from './draft';

const base = { name: 'Checkout', slug: 'checkout', config: DEFAULT_CONFIG };

describe('changes that are not saved', () => {
  it('are named by their place', () => {
    const draft = { ...base, name: 'Shop', config: { ...DEFAULT_CONFIG, contextThreshold: 0.7 } };
    expect(unsavedChanges(base, draft)).toEqual([
      { path: 'name', before: 'Checkout', after: 'Shop' },
      { path: 'contextThreshold', before: 0.8, after: 0.7 },
    ]);
  });

  it('[SAS-2.2] move to a newer version without undoing what the other person saved', () => {
    const theirs = { ...base, config: { ...DEFAULT_CONFIG, dryRun: true, contextThreshold: 0.9 } };
    const mine = { ...base, config: { ...DEFAULT_CONFIG, contextThreshold: 0.7 } };
    const merged = onTopOf(theirs, mine, ['contextThreshold', 'cooldowns']);
    expect(merged).toEqual({
      ...base,
      config: { ...DEFAULT_CONFIG, dryRun: true, contextThreshold: 0.7 },
    });
  });
});

it.each<[string[], string]>([
  [[], 'takes effect from the next chain'],
  [['monitoring.everySeconds', 'startOn.checkChange'], 'takes effect at once'],
  [['incidents.verifySeconds'], 'takes effect at once'],
  [['maintenance.0.name'], 'takes effect at once'],
  [
    ['monitoring.everySeconds', 'schedule.everySeconds'],
    'takes effect at once for checks and incidents, and from the next chain',
  ],
  [
    ['services.0.checks.0.target'],
    'takes effect at once for checks and incidents, and from the next chain',
  ],
  [
    ['monitoring.failures', 'askAgents'],
    'takes effect at once for checks and incidents, and from the next turn of a conversation',
  ],
  [
    ['monitoring.failures', 'maxTier', 'askAgents'],
    'takes effect at once for checks and incidents, from the next chain, and the next turn of a conversation',
  ],
  [['config.maxTier'], 'takes effect from the next chain'],
  [['config.askAgents'], 'takes effect from the next turn of a conversation'],
  [
    ['name', 'config.askAgents'],
    'takes effect from the next chain, and the next turn of a conversation',
  ],
])('[INC-1.2] a change of %j %s', (paths, words) => {
  const changes = paths.map((path) => ({ path }));
  expect(takesEffect(changes, true)).toBe(words);
});

it('[INC-1.2] a change of checks waits for a chain where no other checks run', () => {
  const changes = [{ path: 'services.0.checks.0.target' }];
  expect(takesEffect(changes, false)).toBe('takes effect from the next chain');
});

it.each<[string, boolean, boolean]>([
  ['tiers.1.allowedTools.3', true, true],
  ['tiers.1.askFirstTools', true, true],
  ['isolation', true, true],
  ['tiers.2.isEnabled', true, true],
  ['maxTier', true, true],
  ['services.0.name', false, true],
  ['services.1', false, true],
  ['services.0.checks.0.target', false, true],
  ['services.0.checks.0.timeoutSeconds', false, false],
  ['tiers.1.model', false, false],
  ['maxRereadTokens', false, false],
])('[BND-5.2] a change of %s is about rules: %s, about decisions: %s', (path, rules, decisions) => {
  expect(changesRules([{ path }])).toBe(rules);
  expect(changesDecisions([{ path }])).toBe(decisions);
});
