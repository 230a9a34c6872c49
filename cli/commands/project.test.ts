import { describe, expect, it } from 'vitest';
import type { ChangeGroup } from '@/lib/insight/policy-preview/schema';
import { policyLines } from './project';

const group = (names: string[]): ChangeGroup => ({
  kind: 'newly_refused',
  tier: 2,
  commands: names.length,
  calls: names.length * 3,
  listed: names.map((command, at) => ({
    command,
    count: 3,
    newest: { sessionNumber: 7, seq: at, at: '2026-11-28T12:00:00.000Z' },
    rule: null,
    why: 'No rule allows it.',
  })),
});
const tier = (isCut: boolean) => ({ tier: 2 as const, commands: 40, isCut });

describe('[BND-5.2] what project diff says about recent commands', () => {
  it.each<[string, string[], boolean, string[]]>([
    ['nothing changed', [], false, ['  No command is decided differently.']],
    [
      'a command, by its first line',
      ['docker ps &&\ndocker images'],
      false,
      ['  newly refused in tier 2: 1 command, 3 calls', '    3 × docker ps && … (Session #7)'],
    ],
    [
      'older commands left out',
      ['ls'],
      true,
      [
        '  newly refused in tier 2: 1 command, 3 calls',
        '    3 × ls (Session #7)',
        '  Only the newest commands of tier 2 were compared.',
      ],
    ],
  ])('%s', (_title, names, isCut, lines) => {
    const groups = names.length > 0 ? [group(names)] : [];
    expect(policyLines({ days: 30, tiers: [tier(isCut)], groups })).toEqual([
      'Over the last 30 days:',
      ...lines,
    ]);
  });

  it('shows the first 10, and how many more there are', () => {
    const names = Array.from({ length: 14 }, (_, at) => `helm get ${at}`);
    const lines = policyLines({ days: 30, tiers: [tier(false)], groups: [group(names)] });
    expect(lines).toHaveLength(13);
    expect(lines.at(-1)).toBe('    4 more; --json lists up to 200');
  });

  it('is nothing where no rules change', () => {
    expect(policyLines({ days: 30, tiers: [], groups: [] })).toEqual([]);
  });
});
