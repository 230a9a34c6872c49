'use client';

import { useEffect, useEffectEvent } from 'react';
import { usePreferences } from '../../shell/preferences-context';

export interface LogKeys {
  onFollow: () => void;
  onSearch: () => void;
  onFoldAll: () => void;
  onProblem: (step: 1 | -1) => void;
}

/** `f` and End follow, `/` searches, `e` folds, `n` and `N` go to the next and the last problem. */
export function useLogKeys(keys: LogKeys): void {
  const { hasShortcuts } = usePreferences().preferences;

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const act = actOf(event.key, keys);
    if (!act) return;
    event.preventDefault();
    act();
  });

  useEffect(() => {
    if (!hasShortcuts) return;
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [hasShortcuts]);
}

function actOf(key: string, keys: LogKeys): (() => void) | null {
  switch (key) {
    case 'f':
    case 'End':
      return keys.onFollow;
    case '/':
      return keys.onSearch;
    case 'e':
      return keys.onFoldAll;
    case 'n':
      return () => keys.onProblem(1);
    case 'N':
      return () => keys.onProblem(-1);
    default:
      return null;
  }
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input, textarea, select, [role="dialog"], [role="menu"]') !== null)
  );
}
