import { expect, it } from 'vitest';
import { carry, firstOf } from './guard';

it('stops for the first condition that holds', () => {
  const conditions = [
    [false, carry('NO_POINTER')],
    [true, carry('CAP_ABSENT')],
    [true, carry('EXPIRED')],
  ] as const;
  expect(firstOf({}, conditions).stop).toEqual({ to: 'carry', reason: 'CAP_ABSENT' });
  expect(firstOf({}, conditions.slice(0, 1)).stop).toBeNull();
});

it('keeps the facts that are unknown, with the reason, and leaves the others out', () => {
  const compared = { a: 1, b: null, c: null };
  expect(firstOf(compared, [], { a: false, b: 'Not reported.', c: null })).toEqual({
    compared,
    unknown: { b: 'Not reported.' },
    stop: null,
  });
});

it('retires the pointer only where that is asked for', () => {
  expect(carry('NO_POINTER')).toEqual({ to: 'carry', reason: 'NO_POINTER' });
  expect(carry('EXPIRED', { retires: true })).toMatchObject({ retires: true });
});
