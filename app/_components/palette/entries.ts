/** What the palette offers: pure, from where the reader is and what they may do. */

import { decodeId } from '@/lib/platform/ids';
import { navItems, scopeOf } from '../shell/navigation';
import type { Preferences } from '../shell/preferences';
import type { ShellData, ShellProject } from '../shell/shell-data';
import { bestFirst } from './match';

interface PaletteGroup {
  heading: string;
  entries: PaletteEntry[];
}

const ROLES = ['viewer', 'operator', 'admin', 'owner'] as const;
type Role = (typeof ROLES)[number];

const ORGANIZATION_PAGES: readonly [path: string, label: string, words: string][] = [
  ['analytics', 'Analytics', 'plots charts trends'],
  ['spend', 'Spend', 'cost money ledger budget'],
  ['audit', 'Audit log', 'verify changes who'],
  ['settings/members', 'Members', 'team people roles'],
  ['settings/notifications', 'Notifications', 'e-mail apprise channels'],
  ['settings/tokens', 'API tokens', 'rest key'],
  ['settings/general', 'Organization settings', 'name address delete'],
];

const PROJECT_PAGES: readonly [path: string, label: string, words: string][] = [
  ['settings/services', 'Services and checks', 'http tcp dns'],
  ['settings/schedule', 'Schedule', 'cron interval'],
  ['settings/tiers', 'Tiers and tools', 'model prompt rules bash'],
  ['settings/thresholds', 'Thresholds and cooldowns', 'resume context checkpoints recovery'],
  ['settings/budgets', 'Budgets', 'limit cost'],
  ['settings/versions', 'Versions', 'history difference restore'],
  ['spend', 'Spend of this project', 'cost ledger'],
];

/** `typed`: the text in the field, which may name a number or an id. */
export function paletteGroups(
  data: ShellData,
  pathname: string,
  preferences: Preferences,
  typed: string,
): PaletteGroup[] {
  const { projectSlug } = scopeOf(pathname);
  const project = data.projects.find(({ slug }) => slug === projectSlug);
  const found = {
    heading: 'Found',
    entries: numberEntries(data.organization.slug, project, typed),
  };
  const groups = [
    {
      heading: project?.name ?? '',
      entries: project ? projectEntries(data, project, pathname) : [],
    },
    { heading: 'Go to', entries: pageEntries(data, pathname) },
    { heading: 'Projects', entries: data.projects.map((each) => projectEntry(data, each)) },
    { heading: 'New', entries: newEntries(data) },
    { heading: 'View', entries: viewEntries(preferences) },
  ];
  return [found, ...bestFirst(groups, typed)].filter(({ entries }) => entries.length > 0);
}

function needs(data: ShellData, role: Role): { refusal?: string } {
  const has = ROLES.indexOf(data.organization.role) >= ROLES.indexOf(role);
  return has ? {} : { refusal: `Needs the ${role} role.` };
}

function go(href: string): PaletteAct {
  return { kind: 'go', href };
}

function projectEntry({ organization }: ShellData, { slug, name }: ShellData['projects'][number]) {
  return {
    key: `project-${slug}`,
    label: name,
    words: `project ${slug}`,
    act: go(`/${organization.slug}/projects/${slug}`),
  };
}

function projectEntries(
  data: ShellData,
  { slug, name }: ShellData['projects'][number],
  pathname: string,
): PaletteEntry[] {
  const root = `/${data.organization.slug}/projects/${slug}`;
  const chain = /\/chains\/(\d+)/.exec(pathname)?.[1];
  const run = (isDryRun: boolean): PaletteAct => ({ kind: 'run', project: slug, isDryRun });
  return [
    { key: 'run', label: 'Run a cycle now', act: run(false), ...needs(data, 'operator') },
    { key: 'dry-run', label: 'Dry run', act: run(true), ...needs(data, 'operator') },
    {
      key: 'ask-about',
      label: `Ask about ${chain ? `chain #${chain}` : name}`,
      words: 'this question why conversation agent',
      act: go(chain ? `${root}/ask?chain=${chain}` : `${root}/ask`),
      ...needs(data, 'operator'),
    },
    {
      key: 'pause',
      label: `Pause or resume ${name}…`,
      words: 'stop hold snooze',
      act: go(`${root}/settings/danger`),
    },
    ...PROJECT_PAGES.map(([path, label, words]) => ({
      key: `own-${path}`,
      label,
      words,
      act: go(`${root}/${path}`),
    })),
  ];
}

function pageEntries({ organization }: ShellData, pathname: string): PaletteEntry[] {
  const nav = navItems(pathname).map(({ key, label, href }) => ({ key, label, act: go(href) }));
  const others = ORGANIZATION_PAGES.map(([path, label, words]) => ({
    key: path,
    label,
    words,
    act: go(`/${organization.slug}/${path}`),
  }));
  const you = { key: 'me', label: 'Your profile', words: 'password account', act: go('/me') };
  return [...nav, ...others, you];
}

function newEntries(data: ShellData): PaletteEntry[] {
  const root = `/${data.organization.slug}`;
  const admin = needs(data, 'admin');
  return [
    { key: 'new-project', label: 'New project', act: go(`${root}/projects/new`), ...admin },
    { key: 'new-runner', label: 'Add a runner', act: go(`${root}/runners`), ...admin },
    { key: 'new-webhook', label: 'Add a webhook', act: go(`${root}/webhooks`), ...admin },
    {
      key: 'new-member',
      label: 'Invite a member',
      act: go(`${root}/settings/members`),
      ...admin,
    },
    { key: 'new-token', label: 'Create an API token', act: go(`${root}/settings/tokens`) },
  ];
}

function viewEntries({ theme, zone, density }: Preferences): PaletteEntry[] {
  const other = {
    theme: theme === 'dark' ? ('light' as const) : ('dark' as const),
    zone: zone === 'utc' ? ('local' as const) : ('utc' as const),
    density: density === 'compact' ? ('normal' as const) : ('compact' as const),
  };
  const prefer = (change: Partial<Preferences>): PaletteAct => ({ kind: 'prefer', change });
  const zoneWords = other.zone === 'utc' ? 'Show times in UTC' : 'Show local times';
  return [
    { key: 'copy-link', label: 'Copy the link of this page', act: { kind: 'copy-link' } },
    {
      key: 'theme',
      label: `Use the ${other.theme} theme`,
      words: 'dark light mode',
      act: prefer({ theme: other.theme }),
    },
    { key: 'zone', label: zoneWords, words: 'time zone', act: prefer({ zone: other.zone }) },
    {
      key: 'density',
      label: other.density === 'compact' ? 'Compact rows' : 'Normal rows',
      act: prefer({ density: other.density }),
    },
    { key: 'keys', label: 'Keyboard shortcuts', words: 'help ?', act: { kind: 'keys' } },
  ];
}

const FINDABLE = { chn: 'Chain', ses: 'Session', prj: 'Project', rnr: 'Runner' } as const;

/** `12` or `#12` is a chain and a session of the project; a pasted id is what its prefix says. */
function numberEntries(
  organization: string,
  project: ShellProject | undefined,
  typed: string,
): PaletteEntry[] {
  const text = typed.trim();
  for (const [prefix, name] of Object.entries(FINDABLE)) {
    if (decodeId(prefix as keyof typeof FINDABLE, text) === null) continue;
    return [{ key: text, label: `${name} ${text}`, words: text, act: { kind: 'find', id: text } }];
  }
  const number = /^#?([1-9]\d{0,8})$/.exec(text)?.[1];
  if (!number || !project) return [];
  const root = `/${organization}/projects/${project.slug}`;
  return [
    entry(`Chain #${number}`, text, `${root}/chains/${number}`),
    entry(`Session #${number}`, text, `${root}/sessions/${number}`),
  ];
}

function entry(label: string, words: string, href: string): PaletteEntry {
  return { key: label, label, words, act: { kind: 'go', href } };
}

export type PaletteAct =
  | { kind: 'go'; href: string }
  /** To the page of a chain, session, project or runner whose id was pasted. */
  | { kind: 'find'; id: string }
  | { kind: 'run'; project: string; isDryRun: boolean }
  | { kind: 'copy-link' }
  | { kind: 'prefer'; change: Partial<Preferences> }
  | { kind: 'keys' };

export interface PaletteEntry {
  key: string;
  label: string;
  /** Other words by which it is found. */
  words?: string;
  act: PaletteAct;
  /** Why it cannot be chosen; it stays listed. */
  refusal?: string;
}
