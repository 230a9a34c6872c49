export interface DocPage {
  /** Of the file `docs/<slug>.md` and of the address `/docs/<slug>`. */
  slug: string;
  title: string;
  /** One line about the contents, for the list of pages. */
  about: string;
}

export interface DocGroup {
  title: string;
  pages: readonly DocPage[];
}

/** The manual in reading order, as the sidebar shows it. */
export const DOC_GROUPS: readonly DocGroup[] = [
  {
    title: 'Get started',
    pages: [
      {
        slug: 'introduction',
        title: 'What Tierwatch is',
        about: 'What it does, how it differs from an agent in cron, and what it doesn’t do.',
      },
      {
        slug: 'quick-start',
        title: 'Quick start',
        about: 'From a checkout to a chain that repairs a service, in ten minutes.',
      },
    ],
  },
  {
    title: 'Guides',
    pages: [
      {
        slug: 'watch-docker',
        title: 'Watch a Docker host',
        about: 'Check containers, and let tier 2 restart them.',
      },
      {
        slug: 'watch-kubernetes',
        title: 'Watch Kubernetes',
        about: 'Check deployments with a service account of your own.',
      },
      {
        slug: 'watch-systemd',
        title: 'Watch systemd services',
        about: 'Check units, read their journal, and restart them through polkit.',
      },
      {
        slug: 'send-alerts',
        title: 'Send alerts to Tierwatch',
        about: 'From Alertmanager, Grafana, PagerDuty, or any program that sends JSON.',
      },
      {
        slug: 'slack-alerts',
        title: 'Send alerts to Slack',
        about: 'Through an incoming webhook, or with a receiver of your own.',
      },
      {
        slug: 'on-call-alerts',
        title: 'Page your on-call team',
        about: 'With PagerDuty, Jira Service Management, Opsgenie, or a signed webhook.',
      },
      {
        slug: 'paging',
        title: 'Page people until someone acknowledges',
        about: 'Paging policies, on-call calendars, and quiet hours of channels.',
      },
      {
        slug: 'first-tier-2',
        title: 'Your first tier 2',
        about: 'Turn on safe remediation with rules, a dry run, a cooldown and a budget.',
      },
      {
        slug: 'locked-down-runner',
        title: 'Set up a locked-down runner host',
        about: 'Outgoing HTTPS only, an account of its own, and no more rights than needed.',
      },
      {
        slug: 'plan-costs',
        title: 'Plan your costs',
        about: 'What a schedule costs with each model, and how to limit it.',
      },
      {
        slug: 'mcp',
        title: 'Use Tierwatch from an agent (MCP)',
        about: 'Connect Claude Code or another agent, and limit what it may do.',
      },
      {
        slug: 'back-up-and-restore',
        title: 'Back up and restore',
        about: 'What to save, how to restore it, and how to test the restore.',
      },
      {
        slug: 'upgrade',
        title: 'Upgrade',
        about: 'The control plane first, then the runners.',
      },
    ],
  },
  {
    title: 'Concepts',
    pages: [
      {
        slug: 'concepts',
        title: 'Concepts',
        about: 'Chains, sessions, attempts, handoffs, and what decides.',
      },
      {
        slug: 'glossary',
        title: 'Glossary',
        about: 'The words of the product, one definition each.',
      },
    ],
  },
  {
    title: 'Reference',
    pages: [
      {
        slug: 'configuration',
        title: 'Configuration',
        about: 'Every environment variable.',
      },
      {
        slug: 'checks',
        title: 'Checks',
        about:
          'Every kind of check, its fields, and what healthy, degraded, down and unknown mean.',
      },
      {
        slug: 'incidents',
        title: 'Incidents',
        about: 'Outages from the first failed check to the proven recovery, and who is notified.',
      },
      {
        slug: 'tiers-and-policies',
        title: 'Tiers and policies',
        about: 'What each tier may do, how rules are written, budgets and cooldowns.',
      },
      {
        slug: 'runners',
        title: 'Runners',
        about: 'Hosts, pools, tiers, keys, and what happens when one disappears.',
      },
      {
        slug: 'webhooks',
        title: 'Webhooks',
        about: 'Events, a receiver that verifies them, retries and replay.',
      },
      {
        slug: 'notifications',
        title: 'Notifications',
        about: 'Slack, on-call services, e-mail and others: who is notified about what.',
      },
      {
        slug: 'api',
        title: 'API and command line',
        about: 'Conventions, tokens, limits, commands and exit codes.',
      },
      {
        slug: 'states-and-timeouts',
        title: 'States and timeouts',
        about: 'Every state and every limit, generated from the code.',
      },
    ],
  },
  {
    title: 'Operate',
    pages: [
      { slug: 'deployment', title: 'Deployment', about: 'Containers, one service each.' },
      {
        slug: 'operations',
        title: 'Operations',
        about: 'Processes, health, logs, scaling, TLS, mail and retention.',
      },
      {
        slug: 'scaling',
        title: 'Scaling',
        about: 'What one machine handles, and what breaks first beyond it.',
      },
      {
        slug: 'troubleshooting',
        title: 'Troubleshooting',
        about: 'By symptom: what you see, why, and what to do.',
      },
      { slug: 'security', title: 'Security', about: 'What is defended, how, and what is not.' },
      { slug: 'changelog', title: 'Changelog', about: 'What changed, by date.' },
    ],
  },
];

/** Every page of `docs/` in reading order. */
export const DOC_PAGES: readonly DocPage[] = DOC_GROUPS.flatMap(({ pages }) => pages);

export function findDocPage(slug: string): DocPage | null {
  return DOC_PAGES.find((page) => page.slug === slug) ?? null;
}

/** Returns the pages before and after one in reading order; null at either end. */
export function neighborsOf(slug: string): { previous: DocPage | null; next: DocPage | null } {
  const at = DOC_PAGES.findIndex((page) => page.slug === slug);
  if (at < 0) return { previous: null, next: null };
  return { previous: DOC_PAGES[at - 1] ?? null, next: DOC_PAGES[at + 1] ?? null };
}

/**
 * Returns where a link of a page leads inside the product: `webhooks.md#events` becomes
 * `/docs/webhooks#events`, and `/docs/reference` stays as it is.
 */
export function docHref(href: string): string {
  const match = /^(?:\.\/)?([\w-]+)\.md(#.*)?$/.exec(href);
  return match ? `/docs/${match[1]}${match[2] ?? ''}` : href;
}

/** Returns the address of a picture of a page (`images/home.png`); null for every other address. */
export function docPicture(src: string): string | null {
  const match = /^images\/([a-z0-9-]+\.png)$/.exec(src);
  return match ? `/docs/images/${match[1]}` : null;
}
