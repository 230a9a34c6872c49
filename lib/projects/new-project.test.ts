import { describe, expect, it } from 'vitest';
import type { Isolation } from '@/lib/protocol/confinement';
import type { Tier } from '@/lib/protocol/spec';
import { DEFAULT_CONFIG } from './default-config';
import { defaultRules } from './default-rules';
import { newProjectConfig } from './new-project';
import { projectConfigSchema } from './schema';

type Isolations = [Isolation, Isolation, Isolation];
type Chosen = { tier: Tier; isolation?: Isolation }[];

it('[INC-1.2] a new project checks every minute, and the agent looks on change and twice a day', () => {
  expect(newProjectConfig(false)).toMatchObject({
    monitoring: { everySeconds: 60, failures: 2, lastResults: 3 },
    startOn: { checkChange: true },
    schedule: { kind: 'interval', everySeconds: 12 * 3_600 },
  });
});

it('[INC-1.2] a stored configuration from before there were such checks has none', () => {
  const { monitoring: _monitoring, ...stored } = newProjectConfig(false);
  expect(projectConfigSchema.parse(stored).monitoring.everySeconds).toBeNull();
});

describe('[BND-1.3] the isolation of a new project', () => {
  it.each<[string, boolean, Chosen, Isolations]>([
    ['a pool that can confine', true, [], ['off', 'required', 'required']],
    ['a pool that can’t', false, [], ['off', 'off', 'off']],
    [
      'tiers that name none',
      true,
      [{ tier: 1 }, { tier: 2 }, { tier: 3 }],
      ['off', 'required', 'required'],
    ],
    ['off, chosen', true, [{ tier: 2, isolation: 'off' }], ['off', 'off', 'required']],
    [
      'preferred, chosen',
      true,
      [{ tier: 3, isolation: 'preferred' }],
      ['off', 'required', 'preferred'],
    ],
    [
      'required, chosen in a pool that can’t',
      false,
      [{ tier: 2, isolation: 'required' }],
      ['off', 'required', 'off'],
    ],
    [
      'required for tier 1',
      true,
      [{ tier: 1, isolation: 'required' }],
      ['required', 'required', 'required'],
    ],
  ])('%s', (_case, canConfine, chosen, expected) => {
    const { tiers } = newProjectConfig(canConfine, chosen);
    expect(tiers.map(({ isolation }) => isolation)).toEqual(expected);
    for (const { tier, isolation, allowedTools, disallowedTools } of tiers) {
      expect({ allowedTools, disallowedTools }).toEqual(defaultRules(tier, isolation));
    }
  });

  it('changes nothing else', () => {
    expect(newProjectConfig(false)).toEqual(DEFAULT_CONFIG);
    const { tiers, ...others } = newProjectConfig(true);
    expect({ ...others, tiers: DEFAULT_CONFIG.tiers }).toEqual(DEFAULT_CONFIG);
    expect(tiers.map(({ isEnabled }) => isEnabled)).toEqual([true, false, false]);
  });
});
