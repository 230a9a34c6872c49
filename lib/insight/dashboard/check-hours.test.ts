import { describe, expect, it } from 'vitest';
import { hourCells, hoursSentence } from './check-hours';

const NOW = new Date('2026-11-26T14:20:00Z');
const none = { healthy: 0, degraded: 0, down: 0, unknown: 0, timed: 0, totalMs: 0, maxMs: null };
const hour = (clock: string, counts: Partial<Record<keyof typeof none, number>>) => ({
  ...none,
  hour: new Date(`2026-11-${clock}:00:00Z`),
  ...counts,
});

describe('[INC-1.1] the hours of a check', () => {
  it('are the last 24, with the current one', () => {
    const cells = hourCells([], NOW);
    expect(cells).toHaveLength(24);
    expect(cells[0]).toEqual({
      from: new Date('2026-11-25T15:00:00Z'),
      state: 'unknown',
      words: 'no results',
    });
    expect(cells.at(-1)?.from).toEqual(new Date('2026-11-26T14:00:00Z'));
  });

  it.each([
    [{ healthy: 60 }, 'healthy', '60 healthy'],
    [{ healthy: 59, down: 1 }, 'down', '59 healthy, 1 down'],
    [{ healthy: 58, degraded: 2 }, 'degraded', '58 healthy, 2 degraded'],
    [{ degraded: 2, down: 1 }, 'down', '2 degraded, 1 down'],
    [{ healthy: 5, unknown: 55 }, 'healthy', '5 healthy, 55 unknown'],
    [{ unknown: 60 }, 'unknown', '60 unknown'],
    [
      { healthy: 3, timed: 2, totalMs: 30, maxMs: 20 },
      'healthy',
      '3 healthy, 15ms on average, 20ms at most',
    ],
  ] as const)('with %j are shown as %s: %s', (counts, state, words) => {
    expect(hourCells([hour('26T14', counts)], NOW).at(-1)).toMatchObject({ state, words });
  });

  it('leave out what is older', () => {
    const cells = hourCells([hour('25T14', { down: 1 }), hour('25T15', { healthy: 1 })], NOW);
    expect(cells.map(({ state }) => state)).not.toContain('down');
    expect(cells[0]?.state).toBe('healthy');
  });

  it('are summed up in a sentence', () => {
    const cells = hourCells([hour('26T13', { down: 1 }), hour('26T14', { healthy: 1 })], NOW);
    expect(hoursSentence(cells)).toBe(
      'In the last 24 h: 1 hour with failures, 1 healthy hour, 22 hours without a known result.',
    );
  });
});
