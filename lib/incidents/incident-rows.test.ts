import { describe, expect, it } from 'vitest';
import { combinations, incidentIn, rowOf } from '@/tests/support/incidents';
import { toStored } from './incident-rows';

const OTHER = '0191a2b3-0000-7000-8000-000000000001';
const NOW = new Date('2026-11-26T03:00:00Z');
const open = rowOf(incidentIn('open'));

describe('[INC-2.1] a row', () => {
  it.each(combinations(OTHER))('$title: possible is $isPossible', ({ columns, isPossible }) => {
    const row = { ...open, ...columns } as ReturnType<typeof rowOf>;
    if (isPossible) expect(toStored(row).state).toBe(row.state);
    else expect(() => toStored(row)).toThrow();
  });

  it('names what its state can’t have', () => {
    const row = { ...open, verifyingSince: NOW, acknowledgedBy: 'Ana' };
    expect(() => toStored(row)).toThrow(
      'Incident 0191a2b3-0000-7000-8000-000000000000 is open and can’t have verifyingSince, acknowledgedBy.',
    );
  });
});
