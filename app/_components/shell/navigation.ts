/** Where the reader is, taken from the address. */
interface Scope {
  orgSlug: string;
  projectSlug: string | null;
}

export type NavKey =
  | 'home'
  | 'chains'
  | 'sessions'
  | 'ask'
  | 'runners'
  | 'webhooks'
  | 'activity'
  | 'settings';

export interface NavItem {
  key: NavKey;
  label: string;
  href: string;
  isCurrent: boolean;
}

/** `/acme/projects/checkout/chains` is scope acme, checkout. `/acme/projects/new` has no project. */
export function scopeOf(pathname: string): Scope {
  const [orgSlug = '', second, third] = pathname.split('/').filter(Boolean);
  const isProject = second === 'projects' && third !== undefined && third !== 'new';
  return { orgSlug, projectSlug: isProject ? third : null };
}

function scopeRoot({ orgSlug, projectSlug }: Scope): string {
  return projectSlug ? `/${orgSlug}/projects/${projectSlug}` : `/${orgSlug}`;
}

/** Inside a project the bar leads to the project's own lists. */
export function navItems(pathname: string): NavItem[] {
  const scope = scopeOf(pathname);
  const root = scopeRoot(scope);
  const org = `/${scope.orgSlug}`;
  const activity = scope.projectSlug ? `${root}/events` : `${org}/activity`;
  const items: [NavKey, string, string][] = [
    ['home', 'Home', root],
    ['chains', 'Chains', `${root}/chains`],
    ['sessions', 'Sessions', `${root}/sessions`],
    ...(scope.projectSlug ? [['ask', 'Ask', `${root}/ask`] as [NavKey, string, string]] : []),
    ['runners', 'Runners', `${org}/runners`],
    ['webhooks', 'Webhooks', `${org}/webhooks`],
    ['activity', 'Activity', activity],
    ['settings', 'Settings', `${root}/settings`],
  ];
  return items.map(([key, label, href]) => ({
    key,
    label,
    href,
    isCurrent: isCurrent(key, href, pathname),
  }));
}

function isCurrent(key: NavKey, href: string, pathname: string): boolean {
  if (key === 'home') return pathname === href;
  // The audit log is reached by the settings.
  if (key === 'settings' && isWithin(pathname, href.replace(/settings$/, 'audit'))) return true;
  return isWithin(pathname, href);
}

function isWithin(pathname: string, href: string): boolean {
  return pathname === href || pathname.startsWith(`${href}/`);
}

/** Pages that every project has. */
export const PROJECT_PAGES: readonly string[] = [
  'chains',
  'sessions',
  'ask',
  'events',
  'spend',
  'settings',
];

/** The same kind of page in another project: Checkout › Chains leads to Billing › Chains. */
export function projectPath(pathname: string, orgSlug: string, projectSlug: string): string {
  const root = scopeRoot({ orgSlug, projectSlug });
  const current = scopeOf(pathname);
  const page = pathname.split('/').filter(Boolean)[current.projectSlug ? 3 : 1];
  return page && PROJECT_PAGES.includes(page) ? `${root}/${page}` : root;
}

/** Pages that every organization has. */
const ORGANIZATION_PAGES: readonly string[] = [
  'chains',
  'sessions',
  'runners',
  'webhooks',
  'activity',
  'audit',
  'settings',
  'settings/general',
  'settings/members',
  'settings/tokens',
];

/** The same kind of page in another organization; a project's chains lead to all of its chains. */
export function organizationPath(pathname: string, orgSlug: string): string {
  const segments = pathname.split('/').filter(Boolean);
  const isProject = scopeOf(pathname).projectSlug !== null;
  const page = isProject ? segments.slice(3, 4) : segments.slice(1);
  const [first = '', second] = page[0] === 'events' ? ['activity'] : page;
  const wanted = [`${first}/${second}`, first].find((path) => ORGANIZATION_PAGES.includes(path));
  return wanted ? `/${orgSlug}/${wanted}` : `/${orgSlug}`;
}
