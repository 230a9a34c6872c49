import { describe, expect, it } from 'vitest';
import { defaultRules } from './default-rules';
import { DEFAULT_CONFIG, newProjectConfig, newProjectIsolation } from './new-project';
import { readConfig } from './read-config';

it('[INC-1.2] a new project checks every minute, and the agent looks on change and twice a day', () => {
  expect(newProjectConfig('open')).toMatchObject({
    monitoring: { everySeconds: 60, failures: 2, lastResults: 3 },
    startOn: { checkChange: true },
    schedule: { kind: 'interval', everySeconds: 12 * 3_600 },
  });
});

it('[INC-1.2] a stored configuration from before there were such checks has none', () => {
  const { monitoring: _monitoring, ...stored } = newProjectConfig('open');
  expect(readConfig(stored).monitoring.everySeconds).toBeNull();
});

describe('[BND-1.3] the isolation of a new project', () => {
  it('is confined wherever its pool can confine agents', () => {
    expect([true, false].map(newProjectIsolation)).toEqual(['confined', 'open']);
  });

  it.each(['confined', 'open'] as const)(
    '%s brings the rules for it in every tier',
    (isolation) => {
      const { tiers, ...others } = newProjectConfig(isolation);
      for (const { tier, allowedTools, disallowedTools } of tiers) {
        expect({ allowedTools, disallowedTools }).toEqual(defaultRules(tier, isolation));
      }
      expect({ ...others, tiers: DEFAULT_CONFIG.tiers }).toEqual({ ...DEFAULT_CONFIG, isolation });
      expect(tiers.map(({ isEnabled }) => isEnabled)).toEqual([true, false, false]);
    },
  );
});
