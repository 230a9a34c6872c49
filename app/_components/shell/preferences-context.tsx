'use client';

import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react';
import {
  defaultPreferences,
  PREFERENCES_COOKIE,
  type Preferences,
  serializePreferences,
} from './preferences';

interface PreferencesValue {
  preferences: Preferences;
  change: (next: Partial<Preferences>) => void;
}

const PreferencesContext = createContext<PreferencesValue>({
  preferences: defaultPreferences,
  change: () => undefined,
});

export function usePreferences(): PreferencesValue {
  return useContext(PreferencesContext);
}

const YEAR_SECONDS = 31_536_000;
const DARK = '(prefers-color-scheme: dark)';

function applyTheme(theme: Preferences['theme']) {
  const isDark = theme === 'dark' || (theme === 'system' && window.matchMedia(DARK).matches);
  document.documentElement.classList.toggle('dark', isDark);
}

interface PreferencesProviderProps {
  /** As the server read them from the cookie. */
  initial: Preferences;
  children: ReactNode;
}

export function PreferencesProvider({ initial, children }: PreferencesProviderProps) {
  const [preferences, setPreferences] = useState(initial);

  const change = useCallback((next: Partial<Preferences>) => {
    setPreferences((before) => {
      const after = { ...before, ...next };
      return serializePreferences(after) === serializePreferences(before) ? before : after;
    });
  }, []);
  // A new value would make React render again every part of the page that hasn't arrived yet.
  const value = useMemo(() => ({ preferences, change }), [preferences, change]);

  useEffect(() => {
    const localTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    change({ localTimeZone });
  }, [change]);

  useEffect(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox
    document.cookie = `${PREFERENCES_COOKIE}=${serializePreferences(preferences)}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
    document.documentElement.dataset.density = preferences.density;
    applyTheme(preferences.theme);
    if (preferences.theme !== 'system') return;
    const query = window.matchMedia(DARK);
    const follow = () => applyTheme('system');
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, [preferences]);

  return <PreferencesContext value={value}>{children}</PreferencesContext>;
}
