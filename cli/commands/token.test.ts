import { describe, expect, it } from 'vitest';
import { lifetimeDays } from './token';

describe('lifetimeDays', () => {
  it.each([
    ['90d', 90],
    ['1d', 1],
    ['never', null],
  ])('of %s is %s', (text, days) => {
    expect(lifetimeDays(text)).toBe(days);
  });

  it.each(['90', '0d', '-1d', '3h', ''])('refuses %j', (text) => {
    expect(() => lifetimeDays(text)).toThrow('Use days, such as 90d');
  });
});
