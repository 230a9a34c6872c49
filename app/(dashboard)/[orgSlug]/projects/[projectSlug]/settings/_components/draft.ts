import { changedFields, type FieldChange } from '@/lib/projects/difference';
import type { ProjectConfig } from '@/lib/projects/schema';

/** What a section edits: name, short name and the whole configuration. */
export interface Draft {
  name: string;
  slug: string;
  config: ProjectConfig;
}

export interface SavedProject extends Draft {
  version: number;
  /** Who saved it. */
  author: string;
}

/** The parts that belong to one section; only they go along when changes move to a newer version. */
export type DraftKey = 'name' | 'slug' | keyof ProjectConfig;

export function draftOf({ name, slug, config }: Draft): Draft {
  return { name, slug, config };
}

type ChangedPath = Pick<FieldChange, 'path'>;

/** What is not saved yet. Paths as in `tiers.1.model`. */
export function unsavedChanges(base: Draft, draft: Draft): FieldChange[] {
  return changedFields(flat(base), flat(draft));
}

/** The section's own parts of `draft` on top of what someone else saved. */
export function onTopOf(saved: Draft, draft: Draft, keys: readonly DraftKey[]): Draft {
  const mine = Object.entries(draft.config).filter(([key]) => includes(keys, key));
  return {
    name: includes(keys, 'name') ? draft.name : saved.name,
    slug: includes(keys, 'slug') ? draft.slug : saved.slug,
    config: { ...saved.config, ...(Object.fromEntries(mine) as Partial<ProjectConfig>) },
  };
}

function flat({ name, slug, config }: Draft): Record<string, unknown> {
  return { name, slug, ...config };
}

function includes(keys: readonly DraftKey[], key: string): boolean {
  return (keys as readonly string[]).includes(key);
}

/** A chain keeps the version it started with; a turn of a conversation uses the current one. */
export function takesEffect(changes: readonly ChangedPath[]): string {
  const isOfTurns = ({ path }: ChangedPath) => /(^|\.)askAgents\b/.test(path);
  if (changes.length > 0 && changes.every(isOfTurns)) {
    return 'takes effect from the next turn of a conversation';
  }
  return changes.some(isOfTurns)
    ? 'takes effect from the next chain, and the next turn of a conversation'
    : 'takes effect from the next chain';
}

const RULES =
  /^(?:maxTier$|tiers\.\d\.(?:isEnabled|isolation|tools|allowedTools|disallowedTools|askFirstTools)\b)/;

/** What placeholders of rules stand for. */
const NAMES = /^services\.\d+(?:$|\.name$|\.checks\.\d+(?:$|\.(?:type|target)$))/;

/** Whether changes are about what tiers may run: they are shown before they are saved. */
export function changesRules(changes: readonly ChangedPath[]): boolean {
  return changes.some(({ path }) => RULES.test(path));
}

/** Whether commands may be decided differently, also because a rule names other services. */
export function changesDecisions(changes: readonly ChangedPath[]): boolean {
  return changesRules(changes) || changes.some(({ path }) => NAMES.test(path));
}
