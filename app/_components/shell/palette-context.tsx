'use client';

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { usePreferences } from './preferences-context';

interface PaletteValue {
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}

const PaletteContext = createContext<PaletteValue>({ isOpen: false, setOpen: () => undefined });

/** The palette itself is loaded by whoever renders it; this is only whether it is open. */
export function usePalette(): PaletteValue {
  return useContext(PaletteContext);
}

export function PaletteProvider({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const { hasShortcuts } = usePreferences().preferences;

  useEffect(() => {
    if (!hasShortcuts) return;
    function onKeyDown(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setOpen((before) => !before);
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [hasShortcuts]);

  const value = useMemo(() => ({ isOpen, setOpen }), [isOpen]);
  return <PaletteContext value={value}>{children}</PaletteContext>;
}
