import { describe, expect, it } from 'vitest';
import { complete, STATE_GAUGES } from './state-data';

describe('[INC-4.2] gauges that describe rows', () => {
  it('add up rows of equal labels, and have 0 for those that no row has', () => {
    const samples = complete({ state: ['online', 'offline'] }, [
      { labels: { state: 'online' }, value: 1 },
      { labels: { state: 'online' }, value: 1 },
    ]);
    expect(samples).toEqual([
      { labels: { state: 'online' }, value: 2 },
      { labels: { state: 'offline' }, value: 0 },
    ]);
  });

  it('are missing where an open label has no row', () => {
    expect(complete({ component: 'open' }, [])).toEqual([]);
  });

  it('are 0 without labels and rows', () => {
    expect(complete({}, [])).toEqual([{ labels: {}, value: 0 }]);
  });

  it('have different names', () => {
    const names = STATE_GAUGES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
