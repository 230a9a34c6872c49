import type { Places, TextHits } from '@/lib/insight/search/schema';
import { decodeId } from '@/lib/platform/ids';
import { SECTIONS } from '@/lib/projects/sections';
import { type NavKey, navItems, scopeOf } from '../shell/navigation';
import type { Preferences } from '../shell/preferences';
import type { ShellData, ShellProject } from '../shell/shell-data';
import type { PaletteAct, PaletteEntry, PaletteGroup } from './entry';
import { type DocPlace, placeGroups, textGroups } from './found-entries';
import { bestFirst } from './match';

/** What the palette offers: pure, from where the reader is and what they may do. */

const ROLES = ['viewer', 'operator', 'admin', 'owner'] as const;
type Role = (typeof ROLES)[number];

/** What was loaded since the palette opened, and found since something was typed. */
export interface Loaded {
  places: Places | null;
  docs: readonly DocPlace[];
  /** Null while nothing was searched. */
  hits: TextHits | null;
}

/** A group shows at most this many of what fits. */
const SHOWN = 8;
/** Outside of a project the settings of this many are offered. */
const MAX_PROJECTS = 5;

/**
 * Returns what the palette lists: what can be done here first, then places. Groups that would be
 * too long to read are left out until something is typed.
 *
 * @param typed the text in the field, which may name a number or an id
 */
export function paletteGroups(
  data: ShellData,
  pathname: string,
  preferences: Preferences,
  typed: string,
  { places, docs, hits }: Loaded,
): PaletteGroup[] {
  const { projectSlug } = scopeOf(pathname);
  const { organization } = data;
  const project = data.projects.find(({ slug }) => slug === projectSlug);
  const found = { heading: 'Found', entries: numberEntries(organization.slug, project, typed) };
  const context = {
    heading: project?.name ?? '',
    entries: project ? projectEntries(data, project, pathname, places) : [],
  };
  const settings = settingsEntries(
    organization,
    project ? [project] : data.projects.slice(0, MAX_PROJECTS),
    places,
  );
  const listed = [
    context,
    { heading: 'Go to', entries: pageEntries(pathname) },
    { heading: 'Projects', entries: data.projects.map((each) => projectEntry(data, each)) },
    { heading: 'New', entries: newEntries(data, places) },
    { heading: 'View', entries: viewEntries(preferences) },
  ];
  if (typed.trim() === '') return listed.filter(({ entries }) => entries.length > 0);
  const named = bestFirst(
    [
      ...listed,
      ...placeGroups(organization.slug, places, docs),
      { heading: 'Settings', entries: settings },
    ],
    typed,
  ).map(({ heading, entries }) => ({ heading, entries: entries.slice(0, SHOWN) }));
  const texts = hits ? textGroups(organization.slug, hits, projectSlug) : [];
  return [found, ...named, ...texts].filter(({ entries }) => entries.length > 0);
}

/** Why somebody below a role can't do it, and who can. */
function needs(data: ShellData, role: Role, places: Places | null): { refusal?: string } {
  if (ROLES.indexOf(data.organization.role) >= ROLES.indexOf(role)) return {};
  const names = role === 'operator' || role === 'admin' ? (places?.whoCan[role] ?? []) : [];
  const who = names.length > 0 ? ` ${names.join(' and ')} can change that.` : '';
  return { refusal: `Needs the ${role} role.${who}` };
}

function go(href: string): PaletteAct {
  return { kind: 'go', href };
}

function projectEntry(
  { organization }: ShellData,
  { slug, name, sentence }: ShellProject,
): PaletteEntry {
  return {
    key: `project-${slug}`,
    label: name,
    detail: sentence,
    words: `project ${slug}`,
    act: go(`/${organization.slug}/projects/${slug}`),
  };
}

function projectEntries(
  data: ShellData,
  { slug, name }: ShellProject,
  pathname: string,
  places: Places | null,
): PaletteEntry[] {
  const root = `/${data.organization.slug}/projects/${slug}`;
  const chain = /\/chains\/(\d+)/.exec(pathname)?.[1];
  const run = (isDryRun: boolean): PaletteAct => ({ kind: 'run', project: slug, isDryRun });
  const operator = needs(data, 'operator', places);
  return [
    { key: 'run', label: 'Run now', words: 'start a chain', act: run(false), ...operator },
    { key: 'dry-run', label: 'Run now as a dry run', words: 'start', act: run(true), ...operator },
    {
      key: 'ask-about',
      label: `Ask about ${chain ? `Chain #${chain}` : name}`,
      words: 'this question why conversation agent',
      act: go(chain ? `${root}/ask?chain=${chain}` : `${root}/ask`),
      ...operator,
    },
    {
      key: 'pause',
      label: `Pause or resume ${name}…`,
      words: 'stop hold snooze',
      act: go(`${root}/settings/danger`),
    },
  ];
}

/** Other words for pages of the left bar. */
const PAGE_WORDS: Partial<Record<NavKey, string>> = {
  incidents: 'outages down alerts acknowledge silence merge resolve',
  approvals: 'approve refuse pending decide inbox',
  dashboard: 'project overview',
  services: 'checks health status',
  activity: 'events feed',
  analytics: 'plots charts trends',
  spend: 'cost money ledger budget',
  audit: 'verify changes who',
};

function pageEntries(pathname: string): PaletteEntry[] {
  const { orgSlug } = scopeOf(pathname);
  const nav = navItems(pathname).map(({ key, label, href }) => ({
    key,
    label,
    words: PAGE_WORDS[key] ?? '',
    act: go(href),
  }));
  const others = [
    { key: 'me', label: 'Your profile', words: 'password account', act: go('/me') },
    { key: 'docs', label: 'Documentation', words: 'help manual', act: go('/docs') },
    { key: 'reference', label: 'API reference', words: 'rest docs', act: go('/docs/reference') },
    {
      key: 'system',
      label: 'System',
      words: 'health worker queue database version sweep',
      act: go(`/${orgSlug}/system`),
    },
    { key: 'orgs', label: 'All organizations', words: 'switch', act: go('/orgs') },
  ];
  return [...nav, ...others];
}

function newEntries(data: ShellData, places: Places | null): PaletteEntry[] {
  const root = `/${data.organization.slug}`;
  const admin = needs(data, 'admin', places);
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
    { key: 'copy-link', label: 'Copy link to this page', act: { kind: 'copy-link' } },
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

const FINDABLE = {
  chn: 'Chain',
  ses: 'Session',
  prj: 'Project',
  rnr: 'Runner',
  apr: 'Approval',
} as const;

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

const ORGANIZATION_SECTIONS: readonly [path: string, label: string, words: string][] = [
  ['general', 'General', 'name address slug delete leave denied cli versions'],
  ['members', 'Members', 'team people roles invite invitation'],
  ['tokens', 'API tokens', 'rest api key scopes expire'],
  ['notifications', 'Notifications', 'channels'],
];

interface Named {
  slug: string;
  name: string;
}

/** Sections of the organization's settings and of these projects', by their labels and settings. */
function settingsEntries(
  organization: Named,
  projects: readonly Named[],
  places: Places | null,
): PaletteEntry[] {
  const ofOrganization = ORGANIZATION_SECTIONS.map(([path, label, words]) => ({
    key: `organization-settings-${path}`,
    label,
    detail: 'Organization settings',
    words: `organization settings ${words}${path === 'notifications' ? ` ${places?.channelWords ?? ''}` : ''}`,
    act: { kind: 'go' as const, href: `/${organization.slug}/settings/${path}` },
  }));
  const ofProjects = projects.flatMap((project) =>
    SECTIONS.map(({ key, label, words }) => ({
      key: `settings-${project.slug}-${key}`,
      label,
      detail: `Settings of ${project.name}`,
      words: `project settings ${project.name} ${words} ${places?.settingWords[key] ?? ''}`,
      act: {
        kind: 'go' as const,
        href: `/${organization.slug}/projects/${project.slug}/settings/${key}`,
      },
    })),
  );
  return [...ofProjects, ...ofOrganization];
}
