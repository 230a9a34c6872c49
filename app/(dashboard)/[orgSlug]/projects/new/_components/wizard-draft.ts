'use client';

import { useEffect, useRef, useState } from 'react';
import type { SummaryError } from '@/app/_components/ui/error-summary';
import { wrongTarget } from '@/lib/projects/templates';
import type { CheckSpec } from '@/lib/protocol/spec';
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

/** What cannot be left out, before anything is sent. */
export function missingFields(
  { name, template }: Pick<WizardDraft, 'name' | 'template'>,
  check: CheckSpec | null,
): Record<string, string> {
  return {
    ...(name.trim() === '' ? { name: 'Name the project.' } : {}),
    ...(check === null ? { target: wrongTarget(template) } : {}),
  };
}

interface RefusedError {
  message: string;
  fields: Record<string, string>;
}

/** The slug is made of the name, so what is wrong with it stands there. */
export function fieldErrors({ message, fields }: RefusedError): Record<string, string> {
  const entries = Object.entries(fields).map(([path, text]) => {
    if (path === 'slug')
      return ['name', 'A project of this name is there already. Pick a different one.'];
    if (path === 'services.0.checks.0.target') return ['target', text];
    return [path, text];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : { '': message };
}

const FIELD_IDS = [
  'name',
  'target',
  'runnerPool',
  'monitoring.everySeconds',
  'schedule.everySeconds',
  'schedule.expression',
  'schedule.timeZone',
];

export function summaryOf(errors: Record<string, string>): SummaryError[] {
  return Object.entries(errors).map(([path, message]) => {
    const fieldId = path === 'services.0.name' ? 'serviceName' : path;
    const isField = FIELD_IDS.includes(fieldId) || fieldId === 'serviceName';
    return { fieldId: isField ? fieldId : null, message };
  });
}
