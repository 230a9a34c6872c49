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

/** Returns the value of a setting, `tiers.1.maxTurns`. */
export function valueAt(draft: Draft, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((tree, key) => (tree as Record<string, unknown>)[key], flat(draft));
}

/** Returns the draft with another value of a setting. */
export function withValue(draft: Draft, path: string, value: unknown): Draft {
  const changed = replaced(flat(draft), path.split('.'), value);
  const { name, slug, ...config } = changed as ProjectConfig & Omit<Draft, 'config'>;
  return { name, slug, config };
}

function replaced(tree: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  const before = tree as Record<string, unknown>;
  const next = rest.length === 0 ? value : replaced(before[key], rest, value);
  return Array.isArray(tree) ? tree.with(Number(key), next) : { ...before, [key]: next };
}

function includes(keys: readonly DraftKey[], key: string): boolean {
  return (keys as readonly string[]).includes(key);
}

/** What needs no chain. */
const AT_ONCE = /^(?:config\.)?(?:monitoring|startOn|incidents|maintenance)\b/;
const SERVICES = /^(?:config\.)?services\b/;
const OF_TURNS = /(^|\.)askAgents\b/;

/**
 * Returns when changes take effect, as the end of a sentence. A chain keeps the version it started with; a
 * turn of a conversation, checks without an agent and incidents use the current one.
 *
 * @param isMonitored whether the checks of the services run without an agent
 */
export function takesEffect(changes: readonly ChangedPath[], isMonitored: boolean): string {
  const isServices = ({ path }: ChangedPath) => SERVICES.test(path);
  const isAtOnce = ({ path }: ChangedPath) => AT_ONCE.test(path);
  const isOfTurns = ({ path }: ChangedPath) => OF_TURNS.test(path);
  const hasAtOnce = changes.some((each) => isAtOnce(each) || (isMonitored && isServices(each)));
  const hasTurns = changes.some(isOfTurns);
  const hasChains =
    changes.length === 0 || changes.some((each) => !isAtOnce(each) && !isOfTurns(each));
  if (hasAtOnce && !hasTurns && !hasChains) return 'takes effect at once';
  const whens = [
    ...(hasAtOnce ? ['at once for checks and incidents'] : []),
    ...(hasChains ? ['from the next chain'] : []),
    ...(hasTurns ? [`${hasChains ? '' : 'from '}the next turn of a conversation`] : []),
  ];
  const last = whens.at(-1);
  return `takes effect ${whens.length > 1 ? `${whens.slice(0, -1).join(', ')}, and ${last}` : last}`;
}

/** Of a whole configuration. */
export const ALL_TAKES_EFFECT = takesEffect([{ path: 'monitoring' }, { path: 'tiers' }], true);

const RULES =
  /^(?:maxTier$|isolation$|tiers\.\d\.(?:isEnabled|tools|allowedTools|disallowedTools|askFirstTools)\b)/;

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

/** What a new row of a list holds, by the list's path. */
const NEW_ITEMS: Readonly<Record<string, (config: ProjectConfig) => object>> = {
  askAgents: ({ harness, tiers }) => ({ name: '', harness, model: tiers[0].model }),
  cooldowns: () => ({ action: 'restart', limit: 2, windowSeconds: 14_400 }),
  secrets: () => ({ name: '', tiers: [2, 3], rules: [] }),
};

export function newItem(path: string, config: ProjectConfig): object {
  const made = NEW_ITEMS[path];
  if (!made) throw new Error(`Nothing says what a new row of ${path} holds.`);
  return made(config);
}
