import { expect, it } from 'vitest';
import {
  defaultPreferences,
  displayTimeZone,
  parsePreferences,
  serializePreferences,
} from './preferences';

it('reads back what it wrote', () => {
  const chosen = {
    theme: 'dark',
    zone: 'utc',
    localTimeZone: 'Europe/Berlin',
    density: 'compact',
    hasShortcuts: false,
    isBarCollapsed: true,
  } as const;
  expect(parsePreferences(decodeURIComponent(serializePreferences(chosen)))).toEqual(chosen);
});

it.each([undefined, '', 'theme=pink&tz=Nowhere/Land', '%'])('gives defaults for %s', (cookie) => {
  expect(parsePreferences(cookie)).toEqual(defaultPreferences);
});

it('writes times in UTC only when asked to', () => {
  const berlin = { ...defaultPreferences, localTimeZone: 'Europe/Berlin' };
  expect(displayTimeZone(berlin)).toBe('Europe/Berlin');
  expect(displayTimeZone({ ...berlin, zone: 'utc' })).toBe('UTC');
});
