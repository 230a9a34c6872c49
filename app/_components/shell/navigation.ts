/** Where the reader is, taken from the address. */
interface Scope {
  orgSlug: string;
  projectSlug: string | null;
}

export type NavKey =
  | 'home'
  | 'approvals'
  | 'dashboard'
  | 'incidents'
  | 'chains'
  | 'sessions'
  | 'services'
  | 'ask'
  | 'activity'
  | 'analytics'
  | 'spend'
  | 'runners'
  | 'webhooks'
  | 'audit'
  | 'project-settings'
  | 'organization-settings';

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

interface NavGroups {
  /** Empty outside of a project. */
  project: NavItem[];
  organization: NavItem[];
}

type Row = readonly [NavKey, label: string, path: string];

const PROJECT_ROWS: readonly Row[] = [
  ['dashboard', 'Dashboard', ''],
  ['incidents', 'Incidents', '/incidents'],
  ['chains', 'Chains', '/chains'],
  ['sessions', 'Sessions', '/sessions'],
  ['services', 'Services', '/services'],
  ['ask', 'Ask', '/ask'],
  ['activity', 'Activity', '/events'],
  ['spend', 'Spend', '/spend'],
  ['project-settings', 'Project settings', '/settings'],
];

const ORGANIZATION_ROWS: readonly Row[] = [
  ['home', 'Home', ''],
  ['incidents', 'Incidents', '/incidents'],
  ['approvals', 'Approvals', '/approvals'],
  ['chains', 'Chains', '/chains'],
  ['sessions', 'Sessions', '/sessions'],
  ['activity', 'Activity', '/activity'],
  ['analytics', 'Analytics', '/analytics'],
  ['spend', 'Spend', '/spend'],
  ['runners', 'Runners', '/runners'],
  ['webhooks', 'Webhooks', '/webhooks'],
  ['audit', 'Audit log', '/audit'],
  ['organization-settings', 'Organization settings', '/settings'],
];

/**
 * Returns the links of the left bar. Inside a project its own pages come first, and the
 * organization's group leaves out the lists that the project has, too.
 */
export function navGroups(pathname: string): NavGroups {
  const scope = scopeOf(pathname);
  const organization = `/${scope.orgSlug}`;
  if (!scope.projectSlug) {
    return { project: [], organization: itemsOf(ORGANIZATION_ROWS, organization, pathname) };
  }
  const own = new Set(PROJECT_ROWS.map(([key]) => key));
  return {
    project: itemsOf(PROJECT_ROWS, scopeRoot(scope), pathname),
    organization: itemsOf(
      ORGANIZATION_ROWS.filter(([key]) => !own.has(key)),
      organization,
      pathname,
    ),
  };
}

/** Returns both groups as one list, the project's pages first. No key is in it twice. */
export function navItems(pathname: string): NavItem[] {
  const { project, organization } = navGroups(pathname);
  return [...project, ...organization];
}

function itemsOf(rows: readonly Row[], root: string, pathname: string): NavItem[] {
  return rows.map(([key, label, path]) => {
    const href = `${root}${path}`;
    const isCurrent = path === '' ? pathname === href : isWithin(pathname, href);
    return { key, label, href, isCurrent };
  });
}

function isWithin(pathname: string, href: string): boolean {
  return pathname === href || pathname.startsWith(`${href}/`);
}

/** Pages that every project has. */
export const PROJECT_PAGES: readonly string[] = [
  'incidents',
  'chains',
  'sessions',
  'services',
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
  'incidents',
  'approvals',
  'chains',
  'sessions',
  'runners',
  'webhooks',
  'activity',
  'analytics',
  'spend',
  'audit',
  'settings',
  'settings/general',
  'settings/members',
  'settings/notifications',
  'settings/paging',
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
