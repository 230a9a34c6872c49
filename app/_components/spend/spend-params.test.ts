import { describe, expect, it } from 'vitest';
import { spendViewOf } from './spend-params';

const now = new Date('2026-11-21T14:58:00Z');

describe('the address of a spend page', () => {
  it('is by day over the last week without anything', () => {
    const view = spendViewOf({}, 'checkout', now);
    expect(view).toMatchObject({ range: '7d', isFiltered: false, spanWords: 'the last 7 days' });
    expect(view.query).toMatchObject({ groupBy: 'day', project: 'checkout' });
    expect(view.query.from.toISOString()).toBe('2026-11-15T00:00:00.000Z');
  });

  it('a day or two moments override the range and list sessions', () => {
    const day = spendViewOf({ day: '2026-11-20', range: '30d' }, undefined, now);
    expect(day).toMatchObject({ range: null, spanWords: '20 Nov', isFiltered: true });
    expect(day.query.groupBy).toBe('session');
    const between = spendViewOf(
      { from: '2026-11-20T10:00:00Z', to: '2026-11-20T11:00:00Z', by: 'model' },
      undefined,
      now,
    );
    expect(between.query).toMatchObject({ groupBy: 'model' });
    expect(between.spanWords).toBe('the span from 20 Nov 10:00 UTC to 20 Nov 11:00 UTC');
  });

  it.each([
    { from: '2026-11-20T10:00:00Z' },
    { from: 'x', to: 'y' },
    { from: '2026-11-20T11:00:00Z', to: '2026-11-20T10:00:00Z' },
    { day: '2026-02-30' },
    { range: 'ever', by: 'mood', tier: '9' },
  ])('what it cannot read counts as not said: %j', (params) => {
    expect(spendViewOf(params, undefined, now)).toMatchObject({ range: '7d', isFiltered: false });
  });
});
