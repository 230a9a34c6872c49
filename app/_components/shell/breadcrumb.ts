interface Crumb {
  label: string;
  href: string;
}

const WORDS: Record<string, string> = {
  activity: 'Activity',
  analytics: 'Analytics',
  approvals: 'Approvals',
  ask: 'Ask',
  audit: 'Audit log',
  budgets: 'Budgets',
  chains: 'Chains',
  checkpoints: 'Checkpoints',
  command: 'Command',
  continuity: 'Continuity',
  danger: 'Danger',
  decision: 'Decision',
  events: 'Activity',
  general: 'General',
  handoff: 'Handoff',
  incidents: 'Incidents',
  ledger: 'Ledger',
  members: 'Members',
  new: 'New project',
  notifications: 'Notifications',
  paging: 'Paging',
  prompts: 'Prompts',
  report: 'Report',
  runners: 'Runners',
  schedule: 'Schedule',
  'side-by-side': 'Side by side',
  services: 'Services',
  sessions: 'Sessions',
  spend: 'Spend',
  system: 'System',
  thresholds: 'Thresholds',
  tiers: 'Tiers',
  file: 'Import and export',
  tokens: 'API tokens',
  versions: 'Versions',
  webhooks: 'Webhooks',
};

/** What stands where the name behind an id isn't known yet. */
const KINDS: Record<string, string> = {
  apr: 'Approval',
  rnr: 'Runner',
  whk: 'Endpoint',
  cnv: 'Conversation',
};

const NUMBERED: Record<string, string> = {
  chains: 'Chain',
  incidents: 'Incident',
  sessions: 'Session',
};

/**
 * `/acme/projects/checkout/chains/12` reads Acme / Checkout / Chains / Chain #12. `names` gives the
 * names behind slugs: the organization's under its slug, a project's under `projects/<slug>`, what
 * a page calls itself under `ids/<id>`.
 */
export function breadcrumb(pathname: string, names: ReadonlyMap<string, string>): Crumb[] {
  const segments = pathname.split('/').filter(Boolean);
  const crumbs: Crumb[] = [];
  for (const [index, segment] of segments.entries()) {
    const href = `/${segments.slice(0, index + 1).join('/')}`;
    if (index === 1 && segment === 'projects') continue;
    const isProject = index === 2 && segments[1] === 'projects' && segment !== 'new';
    const key = isProject ? `projects/${segment}` : index === 0 ? segment : `ids/${segment}`;
    const name = names.get(key);
    crumbs.push({ label: name ?? segmentLabel(segments, index), href });
  }
  return crumbs;
}

function segmentLabel(segments: readonly string[], index: number): string {
  const text = decoded(segments[index] ?? '');
  const before = segments[index - 1] ?? '';
  // A service may be called "settings", or a number.
  if (before === 'services') return text;
  if (/^\d+$/.test(text)) return `${NUMBERED[before] ?? ''} #${text}`.trim();
  if (text === 'settings') {
    return segments[1] === 'projects' ? 'Project settings' : 'Organization settings';
  }
  const kind = /^([a-z]{3})_/.exec(text)?.[1];
  return WORDS[text] ?? (kind && KINDS[kind]) ?? text;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
