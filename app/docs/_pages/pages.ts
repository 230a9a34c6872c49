export interface DocPage {
  /** Of the file `docs/<slug>.md` and of the address `/docs/<slug>`. */
  slug: string;
  title: string;
  /** What one finds there, in a line. */
  about: string;
}

/** In the order of reading. */
export const DOC_PAGES: readonly DocPage[] = [
  {
    slug: 'quick-start',
    title: 'Quick start',
    about: 'From nothing to a chain that repairs a service, in ten minutes.',
  },
  {
    slug: 'concepts',
    title: 'Concepts',
    about: 'Chains, sessions, attempts, handoffs, and what decides.',
  },
  {
    slug: 'tiers-and-policies',
    title: 'Tiers and policies',
    about: 'What each tier may do, how rules are written, budgets and cooldowns.',
  },
  { slug: 'runners', title: 'Runners', about: 'Connecting hosts, pools, keys, what to check.' },
  {
    slug: 'webhooks',
    title: 'Webhooks',
    about: 'Events, a receiver that verifies them, retries and replay.',
  },
  {
    slug: 'notifications',
    title: 'Notifications',
    about: 'E-mail and Apprise: who is told about what.',
  },
  { slug: 'api', title: 'API and command line', about: 'Conventions, tokens, limits, exit codes.' },
  { slug: 'configuration', title: 'Configuration', about: 'Every environment variable.' },
  {
    slug: 'operations',
    title: 'Operations',
    about: 'Backup, restore, upgrade, scaling out, TLS, logs, mail.',
  },
  { slug: 'deployment', title: 'Deployment', about: 'Containers, one service each.' },
  { slug: 'security', title: 'Security', about: 'What is defended, how, and what is not.' },
  {
    slug: 'states-and-timeouts',
    title: 'States and time-outs',
    about: 'Every state and every limit, made from the code.',
  },
];

export function findDocPage(slug: string): DocPage | null {
  return DOC_PAGES.find((page) => page.slug === slug) ?? null;
}

/** Where a link of a page leads inside the product: `webhooks.md#events` is `/docs/webhooks#events`. */
export function docHref(href: string): string {
  const match = /^(?:\.\/)?([\w-]+)\.md(#.*)?$/.exec(href);
  return match ? `/docs/${match[1]}${match[2] ?? ''}` : href;
}
