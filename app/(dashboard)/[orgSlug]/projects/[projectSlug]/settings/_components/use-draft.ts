'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useMemo, useState, useTransition } from 'react';
import { toast } from 'sonner';
import type { Refusal } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import type { FieldChange } from '@/lib/projects/difference';
import type { ProjectConfig } from '@/lib/projects/schema';
import { saveSettings } from '../actions';
import {
  type Draft,
  type DraftKey,
  draftOf,
  onTopOf,
  type SavedProject,
  takesEffect,
  unsavedChanges,
  valueAt,
  withValue,
} from './draft';

export interface DraftForm {
  organizationSlug: string;
  draft: Draft;
  /** The configuration that was active when editing started. */
  base: SavedProject;
  changes: FieldChange[];
  /** A newer version than the one that is edited; null while there is none. */
  newer: SavedProject | null;
  isSaving: boolean;
  /** The error of the whole form. */
  problem: string | null;
  /** All errors of the last try, by path. */
  errors: Record<string, string>;
  errorAt: (path: string) => string | undefined;
  /** Say that a field was left, so that its error may show. */
  touch: (path: string) => void;
  /** Of a setting, `tiers.1.maxTurns`. */
  valueAt: (path: string) => unknown;
  set: (path: string, value: unknown) => void;
  configure: (change: (config: ProjectConfig) => Partial<ProjectConfig>) => void;
  discard: () => void;
  /** Puts the changes on top of `newer`. */
  moveToNewer: () => void;
  save: () => void;
}

/**
 * Edits one section of a project; `saved` is the current version, which may change during the edit.
 *
 * @param carryOver applies the section's edits to what someone else saved, where they change other
 * parts too
 */
export function useDraft(
  organizationSlug: string,
  saved: SavedProject,
  keys: readonly DraftKey[],
  carryOver = (config: ProjectConfig, _mine: ProjectConfig) => config,
): DraftForm {
  const router = useRouter();
  const [base, setBase] = useState(saved);
  const [draft, setDraft] = useState(draftOf(saved));
  const [refused, setRefused] = useState<Record<string, string>>({});
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaving, startSaving] = useTransition();
  const changes = useMemo(() => unsavedChanges(base, draft), [base, draft]);
  const isBehind = saved.version > base.version;

  // Nothing of one's own to lose: follow what was saved elsewhere.
  if (isBehind && changes.length === 0) {
    setBase(saved);
    setDraft(draftOf(saved));
  }

  const [wrong, setWrong] = useState<Record<string, string>>({});
  useEffect(() => {
    let isOld = false;
    // The validation code is large and only needed for editing, so it loads after the page.
    void import('./shape-errors').then(({ shapeErrors }) => {
      if (!isOld) setWrong(shapeErrors(draft.config));
    });
    return () => {
      isOld = true;
    };
  }, [draft.config]);

  /** Two changes may come before the first is rendered, as one that a dialog confirms. */
  function update(change: (before: Draft) => Draft) {
    setDraft(change);
    setRefused({});
    setProblem(null);
  }

  function save() {
    if (isSaving || changes.length === 0) return;
    startSaving(async () => {
      const answer = await saveSettings({
        organizationSlug,
        project: base.slug,
        baseVersion: base.version,
        ...draft,
      });
      if (!answer.ok) {
        setRefused(withoutPrefix(answer.error.fields));
        setProblem(answer.error.message);
        if (answer.error.code === 'conflict') router.refresh();
        return;
      }
      const { version } = answer.data;
      const isMonitored = draft.config.monitoring.everySeconds !== null;
      toast.success(`Saved as v${version}. It ${takesEffect(changes, isMonitored)}.`);
      setProblem(null);
      setRefused({});
      setTouched(new Set());
      setBase({ ...draft, version, author: 'You' });
      if (draft.slug !== base.slug) {
        router.replace(`/${organizationSlug}/projects/${draft.slug}/settings/general`);
      }
      router.refresh();
    });
  }

  return {
    organizationSlug,
    draft,
    base,
    changes,
    newer: isBehind ? saved : null,
    isSaving,
    problem,
    errors: refused,
    errorAt: (path) => refused[path] ?? (touched.has(path) ? wrong[path] : undefined),
    touch: (path) => setTouched((before) => new Set(before).add(path)),
    valueAt: (path) => valueAt(draft, path),
    set: (path, value) => update((before) => withValue(before, path, value)),
    configure: (change) =>
      update((before) => ({ ...before, config: { ...before.config, ...change(before.config) } })),
    discard: () => {
      setBase(saved);
      update(() => draftOf(saved));
      setTouched(new Set());
    },
    moveToNewer: () => {
      setBase(saved);
      update((mine) => {
        const config = carryOver(saved.config, mine.config);
        return onTopOf({ ...saved, config }, mine, keys);
      });
    },
    save,
  };
}

/** The action names `config.tiers.0.model` what its field calls `tiers.0.model`. */
function withoutPrefix(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => [path.replace(/^config\./, ''), message]),
  );
}

/** What every section of the settings gets. */
export interface SectionProps {
  organizationSlug: string;
  saved: SavedProject;
  refusal: Refusal;
}
