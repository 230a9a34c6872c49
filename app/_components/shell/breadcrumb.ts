import { middleCut } from '../ui/middle-cut';

interface Crumb {
  label: string;
  href: string;
}

const WORDS: Record<string, string> = {
  activity: 'Activity',
  analytics: 'Analytics',
  ask: 'Ask',
  audit: 'Audit',
  budgets: 'Budgets',
  chains: 'Chains',
  checkpoints: 'Checkpoints',
  command: 'Command',
  compare: 'Compare',
  continuity: 'Continuity',
  danger: 'Danger',
  decision: 'Decision',
  events: 'Events',
  general: 'General',
  handoff: 'Handoff',
  ledger: 'Ledger',
  members: 'Members',
  new: 'New project',
  notifications: 'Notifications',
  prompts: 'Prompts',
  report: 'Report',
  runners: 'Runners',
  schedule: 'Schedule',
  services: 'Services',
  sessions: 'Sessions',
  settings: 'Settings',
  spend: 'Spend',
  system: 'System',
  thresholds: 'Thresholds',
  tiers: 'Tiers',
  file: 'Import and export',
  tokens: 'API tokens',
  versions: 'Versions',
  webhooks: 'Webhooks',
};

/**
 * `/acme/projects/checkout/chains/12` reads Acme / Checkout / Chains / #12. `names` gives the
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
    crumbs.push({ label: name ?? segmentLabel(segment), href });
  }
  return crumbs;
}

function segmentLabel(segment: string): string {
  if (/^\d+$/.test(segment)) return `#${segment}`;
  const text = decodeURIComponent(segment);
  return WORDS[text] ?? middleCut(text);
}
