'use client';

import { useEffect, useEffectEvent } from 'react';
import { usePreferences } from '../shell/preferences-context';

/**
 * Single keys for what a page can do, unless somebody types, has a dialog open, or has switched
 * shortcuts off. `actOf` answers what the key does here, or null.
 */
export function useKeys(actOf: (event: KeyboardEvent) => (() => void) | null): void {
  const { hasShortcuts } = usePreferences().preferences;

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target) || hasDialog()) return;
    const act = actOf(event);
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

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input, textarea, select, [role="menu"], [role="listbox"]') !== null)
  );
}

function hasDialog(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
}
