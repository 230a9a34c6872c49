'use client';

import { useEffect, useState } from 'react';
import { z } from 'zod';
import { scheduleSchema } from '@/lib/projects/schema';
import { harnessNameSchema } from '@/lib/runner-protocol/spec';

const draftSchema = z.object({
  name: z.string(),
  target: z.string(),
  /** Empty: made of the target. */
  serviceName: z.string(),
  schedule: scheduleSchema,
  pool: z.string(),
  /** Null: as the pool's runners allow. */
  harness: harnessNameSchema.nullable(),
});
export type WizardDraft = z.infer<typeof draftSchema>;

/** Kept in this browser until the project is made, so that leaving loses nothing. */
export function useWizardDraft(organizationSlug: string, initial: WizardDraft) {
  const key = `tierwatch_new_project:${organizationSlug}`;
  const [draft, setDraft] = useState(initial);

  useEffect(() => {
    const kept = readDraft(key);
    if (kept) setDraft(kept);
  }, [key]);

  return {
    draft,
    change: (changes: Partial<WizardDraft>) =>
      setDraft((before) => {
        const next = { ...before, ...changes };
        localStorage.setItem(key, JSON.stringify(next));
        return next;
      }),
    forget: () => localStorage.removeItem(key),
  };
}

function readDraft(key: string): WizardDraft | null {
  try {
    return draftSchema.parse(JSON.parse(localStorage.getItem(key) ?? 'null'));
  } catch {
    return null;
  }
}
