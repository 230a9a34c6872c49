import { describe, expect, it } from 'vitest';
import { overdueAfterMs, overdueAt } from './overdue';

describe('[INC-1.1] a result that is missing', () => {
  it.each([
    [30, 135],
    [60, 195],
    [86_400, 172_875],
  ])('of a check every %d s: after %d s', (everySeconds, seconds) => {
    expect(overdueAfterMs(everySeconds)).toBe(seconds * 1_000);
    const lastAt = new Date('2026-11-26T03:00:00.000Z');
    expect(overdueAt({ lastAt, everySeconds })).toEqual(
      new Date(lastAt.getTime() + seconds * 1_000),
    );
  });

  it('isn’t known of a check that has never run', () => {
    expect(overdueAt({ lastAt: null, everySeconds: 60 })).toBeNull();
  });
});
