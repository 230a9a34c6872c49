'use client';

import { useEffect, useRef, useState } from 'react';
import type { WizardDraft } from './kept-draft';

/** Kept in this browser until the project is made, so that leaving loses nothing. */
export function useWizardDraft(organizationSlug: string, initial: WizardDraft) {
  const key = `tierwatch_new_project:${organizationSlug}`;
  const [draft, setDraft] = useState(initial);
  /** What an earlier visit left here, looked at before a change takes its place. */
  const left = useRef<string | null>(undefined);
  const changed = useRef<Partial<WizardDraft>>({});

  useEffect(() => {
    left.current ??= localStorage.getItem(key);
    if (left.current === null) return;
    const text = left.current;
    // Only who left something needs what reads it.
    void import('./kept-draft').then(({ parseDraft }) => {
      const before = parseDraft(text);
      if (before) setDraft(() => keep(key, { ...before, ...changed.current }));
    });
  }, [key]);

  return {
    draft,
    change: (changes: Partial<WizardDraft>) => {
      left.current ??= localStorage.getItem(key);
      changed.current = { ...changed.current, ...changes };
      setDraft((before) => keep(key, { ...before, ...changes }));
    },
    forget: () => localStorage.removeItem(key),
  };
}

function keep(key: string, draft: WizardDraft): WizardDraft {
  localStorage.setItem(key, JSON.stringify(draft));
  return draft;
}
