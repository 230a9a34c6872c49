import { expect, it } from 'vitest';
import { ignoredFields, mergeConfig } from './document/merge';
import { projectDocumentSchema } from './document/schema';
import { readYaml } from './document/yaml';
import { DEFAULT_CONFIG } from './new-project';
import { readConfig } from './read-config';

const { isolation: _own, ...older } = DEFAULT_CONFIG;

/** As versions stored it whose tiers had an isolation each; undefined: from before that. */
function stored(...isolations: (string | undefined)[]): unknown {
  const tiers = older.tiers.map((tier, at) => {
    const isolation = isolations[at];
    return isolation === undefined ? tier : { ...tier, isolation };
  });
  return { ...older, tiers };
}

it.each([
  [['off', 'off', 'off'], 'open'],
  [[undefined, undefined, undefined], 'open'],
  [['off', 'required', 'required'], 'confined'],
  [['required', 'off', 'off'], 'confined'],
  [['off', 'off', 'preferred'], 'confined'],
  [['preferred', 'preferred', 'preferred'], 'confined'],
  [['off', 'off', 'of a later version'], 'confined'],
] as const)('[HLD-1.1] tiers that were %j make a project %s', (isolations, expected) => {
  const config = readConfig(stored(...isolations));
  expect(config).toEqual({ ...DEFAULT_CONFIG, isolation: expected });
});

it('[HLD-1.1] what a project says itself counts, and tiers of earlier versions don’t', () => {
  const tiers = older.tiers.map((tier) => ({ ...tier, isolation: 'required' }));
  expect(readConfig({ ...older, tiers, isolation: 'open' }).isolation).toBe('open');
  expect(() => readConfig({ ...older, isolation: 'preferred' })).toThrow();
});

it('[HLD-1.1] a file of an earlier version changes no isolation, and says so', () => {
  const file =
    'name: Shop\ntiers:\n  - tier: 2\n    isolation: off\n    maxTurns: 7\n  - { tier: 1, isolation: off }\n';
  const read = readYaml(file);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const models = () => ['a', 'b', 'c'] as const;
  const confined = { ...DEFAULT_CONFIG, isolation: 'confined' as const };
  const merged = mergeConfig(confined, read.document, models);
  expect(merged.isolation).toBe('confined');
  expect(merged.tiers[1].maxTurns).toBe(7);
  expect(merged.tiers[1]).not.toHaveProperty('isolation');
  expect(ignoredFields(read.document)).toBe(
    'Isolation of tiers 1, 2 was ignored: it belongs to the project.',
  );
  expect(ignoredFields(projectDocumentSchema.parse({ name: 'Shop' }))).toBe('');
});
