'use client';

import { useEffect, useRef, useState } from 'react';
import type { WizardDraft } from './kept-draft';

/** Kept in this browser until the project is made, so that leaving loses nothing. */
export function useWizardDraft(organizationSlug: string, initial: WizardDraft) {
  const key = `tierwatch_new_project:${organizationSlug}`;
  const [draft, setDraft] = useState(initial);
  const isTouched = useRef(false);

  useEffect(() => {
    if (localStorage.getItem(key) === null) return;
    // Only who left something needs what reads it.
    void import('./kept-draft').then(({ readDraft }) => {
      const kept = readDraft(key);
      if (kept && !isTouched.current) setDraft(kept);
    });
  }, [key]);

  return {
    draft,
    change: (changes: Partial<WizardDraft>) => {
      isTouched.current = true;
      setDraft((before) => {
        const next = { ...before, ...changes };
        localStorage.setItem(key, JSON.stringify(next));
        return next;
      });
    },
    forget: () => localStorage.removeItem(key),
  };
}
