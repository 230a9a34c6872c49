import { describe, expect, it } from 'vitest';
import { waitText } from './rate-limits';

describe('waitText', () => {
  it.each([
    [0, '1 s'],
    [0.2, '1 s'],
    [45, '45 s'],
    [60, '60 s'],
    [61, '2 min'],
    [240, '4 min'],
    [241, '5 min'],
  ])('says %s seconds as %s', (seconds, text) => {
    expect(waitText(seconds)).toBe(text);
  });
});
