import { isTimeZone } from '@/lib/platform/format/time-zone';
/**
 * Runs before the first paint for people who follow their system's theme, which the server
 * cannot know. Constant, so that a policy can allow it by nonce or by hash.
 */
export const themeScript =
  "if(document.documentElement.dataset.theme==='system'&&matchMedia('(prefers-color-scheme: dark)').matches)document.documentElement.classList.add('dark')";

/** What one person chose for their eyes, kept in a cookie so that the server draws it at once. */
export interface Preferences {
  theme: 'system' | 'light' | 'dark';
  /** In which zone times are written. */
  zone: 'local' | 'utc';
  /** The browser's own zone, learned at the first visit; UTC until then. */
  localTimeZone: string;
  density: 'normal' | 'compact';
  hasShortcuts: boolean;
  isBarCollapsed: boolean;
}

export const PREFERENCES_COOKIE = 'tierwatch_view';

export const defaultPreferences: Preferences = {
  theme: 'system',
  zone: 'local',
  localTimeZone: 'UTC',
  density: 'normal',
  hasShortcuts: true,
  isBarCollapsed: false,
};

function oneOf<Value extends string>(found: string | null, first: Value, ...rest: Value[]): Value {
  return rest.find((value) => value === found) ?? first;
}

/** Reads the cookie's value, already percent-decoded; whatever is missing or unknown in it gets the default. */
export function parsePreferences(cookie: string | undefined): Preferences {
  const found = new URLSearchParams(cookie);
  const zoneName = found.get('tz');
  return {
    theme: oneOf(found.get('theme'), 'system', 'light', 'dark'),
    zone: oneOf(found.get('zone'), 'local', 'utc'),
    localTimeZone: zoneName && isTimeZone(zoneName) ? zoneName : 'UTC',
    density: oneOf(found.get('density'), 'normal', 'compact'),
    hasShortcuts: found.get('keys') !== 'off',
    isBarCollapsed: found.get('bar') === 'narrow',
  };
}

/** The cookie's value for these preferences, safe to stand after `name=`. */
export function serializePreferences(preferences: Preferences): string {
  return encodeURIComponent(
    new URLSearchParams({
      theme: preferences.theme,
      zone: preferences.zone,
      tz: preferences.localTimeZone,
      density: preferences.density,
      keys: preferences.hasShortcuts ? 'on' : 'off',
      bar: preferences.isBarCollapsed ? 'narrow' : 'wide',
    }).toString(),
  );
}

/** The zone that times are to be written in. */
export function displayTimeZone(preferences: Preferences): string {
  return preferences.zone === 'utc' ? 'UTC' : preferences.localTimeZone;
}
