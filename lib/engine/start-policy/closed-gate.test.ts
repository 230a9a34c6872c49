import { describe, expect, it } from 'vitest';
import { CLOSED_BY, gateOf } from '@/tests/support/closed-gates';
import { GATE_CODES, type GateCode } from './gate';

describe('the start policy', () => {
  it('lets work start that nothing holds', () => {
    expect(gateOf({})).toBeNull();
  });

  it('[ENG-1.3] states for every gate as what waiting work is stored', () => {
    const stored = GATE_CODES.map((code) => [code, gateOf(CLOSED_BY[code])?.waitReason]);
    expect(stored.filter(([, reason]) => reason !== null)).toEqual([
      ['PAUSED', 'pause'],
      ['MAINTENANCE', 'maintenance'],
      ['BUDGET', 'budget'],
      ['CONFINED_ELSEWHERE', 'isolation'],
      ['CANARY_PENDING', 'canary'],
      ['CANARY_FAILED', 'canary'],
      ['APPROVAL', 'approval'],
    ]);
  });

  it('[ENG-1.3] has an example for every gate', () => {
    expect(Object.keys(CLOSED_BY)).toEqual([...GATE_CODES]);
  });

  const pairs = GATE_CODES.flatMap((first, index) =>
    GATE_CODES.slice(index + 1).map((second): [GateCode, GateCode] => [first, second]),
  );
  it.each(pairs)('[ENG-1.3] names %s before %s', (first, second) => {
    expect(gateOf({ ...CLOSED_BY[second], ...CLOSED_BY[first] })?.code).toBe(first);
  });
});
