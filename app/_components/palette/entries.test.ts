import { describe, expect, it } from 'vitest';
import { encodeId } from '@/lib/platform/ids';
import { settingWords } from '@/lib/projects/settings';
import { defaultPreferences } from '../shell/preferences';
import type { ShellData } from '../shell/shell-data';
import { type Loaded, paletteGroups } from './entries';

const CHAIN = encodeId('chn', '01890a5d-ac96-774b-bcce-b302099a8057');

function dataOf(role: ShellData['organization']['role']): ShellData {
  const organization = { id: 'org_1', slug: 'acme', name: 'Acme', role };
  const project = (slug: string, name: string) => ({
    id: `prj_${slug}`,
    slug,
    name,
    mark: { kind: 'project' as const, state: 'active' as const },
    sentence: 'All 2 services are healthy.',
  });
  return {
    organization,
    organizations: [organization],
    projects: [project('checkout', 'Checkout'), project('billing', 'Billing')],
    runners: [{ id: 'rnr_1', name: 'eu-1' }],
    tone: null,
    pendingApprovals: 0,
    user: { name: 'Ana', email: 'ana@example.com' },
  };
}

const checkout = { slug: 'checkout', name: 'Checkout' };
const billing = { slug: 'billing', name: 'Billing' };
const hit = {
  project: checkout,
  session: { number: 19, tier: 2 },
  chain: { number: 12 },
  conversationId: null,
  at: '2026-11-21T14:00:00.000Z',
  snippet: [
    { text: 'docker ', isMatch: false },
    { text: 'restart', isMatch: true },
  ],
  seq: 41,
};

const LOADED: Loaded = {
  places: {
    services: [
      { name: 'web', status: 'down', project: checkout },
      { name: 'web', status: 'healthy', project: billing },
    ],
    runners: [{ id: 'rnr_1', name: 'eu-1', pool: 'eu' }],
    people: [{ id: 'mem_1', name: 'Tom Weber', role: 'operator' }],
    whoCan: { operator: ['Ana Ruiz', 'Tom Weber'], admin: ['Ana Ruiz'] },
    channelWords: 'Slack PagerDuty Apprise',
    settingWords: settingWords(),
  },
  docs: [
    { page: 'Webhooks', heading: null, href: '/docs/webhooks' },
    { page: 'Webhooks', heading: 'Verify a signature', href: '/docs/webhooks#verify-a-signature' },
  ],
  hits: null,
};

function entriesAt(
  pathname: string,
  typed = '',
  role: ShellData['organization']['role'] = 'owner',
  loaded: Loaded = LOADED,
) {
  const groups = paletteGroups(dataOf(role), pathname, defaultPreferences, typed, loaded);
  return groups.flatMap(({ heading, entries }) => entries.map((entry) => ({ heading, ...entry })));
}

describe('[PAG-1.4] the palette', () => {
  it('[PAG-1.2] lists a project with the sentence of its state', () => {
    const entry = entriesAt('/acme').find(({ key }) => key === 'project-billing');
    expect(entry).toMatchObject({ label: 'Billing', detail: 'All 2 services are healthy.' });
  });

  it('has what can be done with the project first, and only inside of it', () => {
    const [first] = entriesAt('/acme/projects/checkout/chains');
    expect(first).toMatchObject({
      heading: 'Checkout',
      label: 'Run now',
      act: { kind: 'run', project: 'checkout', isDryRun: false },
    });
    expect(entriesAt('/acme').some(({ act }) => act.kind === 'run')).toBe(false);
  });

  it.each([
    ['run', 'viewer', 'Needs the operator role. Ana Ruiz and Tom Weber can change that.'],
    ['run', 'operator', undefined],
    ['new-project', 'operator', 'Needs the admin role. Ana Ruiz can change that.'],
    ['new-project', 'admin', undefined],
    ['new-token', 'viewer', undefined],
  ] as const)('lists %s for a %s, refused: %s', (key, role, refusal) => {
    const entry = entriesAt('/acme/projects/checkout', '', role).find((each) => each.key === key);
    expect(entry?.refusal).toBe(refusal);
    expect(entry).toBeDefined();
  });

  it.each([
    ['/acme/projects/checkout', 'Ask about Checkout', '/acme/projects/checkout/ask'],
    [
      '/acme/projects/checkout/chains/12',
      'Ask about Chain #12',
      '/acme/projects/checkout/ask?chain=12',
    ],
  ])('on %s offers to %s', (pathname, label, href) => {
    const entry = entriesAt(pathname).find(({ key }) => key === 'ask-about');
    expect(entry).toMatchObject({ label, act: { kind: 'go', href } });
  });

  it.each(['', '12', 'web', 's'])('names nothing twice for %j', (typed) => {
    const keys = entriesAt('/acme/projects/checkout', typed).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('lists no services, people or documentation before something is typed', () => {
    const headings = new Set(entriesAt('/acme').map(({ heading }) => heading));
    expect([...headings]).toEqual(['Go to', 'Projects', 'New', 'View']);
  });

  it('gives the reason before the names of those who can are loaded', () => {
    const loading = { ...LOADED, places: null };
    const entries = entriesAt('/acme/projects/checkout', '', 'viewer', loading);
    expect(entries.find(({ key }) => key === 'run')?.refusal).toBe('Needs the operator role.');
  });
});

describe('what is typed', () => {
  const found = (pathname: string, typed: string) =>
    entriesAt(pathname, typed).flatMap(({ heading, label, act }) =>
      heading === 'Found' ? [[label, act.kind === 'go' ? act.href : act.kind]] : [],
    );

  it.each(['12', '#12', ' #12 '])('%j is a chain and a session of the project', (typed) => {
    expect(found('/acme/projects/checkout', typed)).toEqual([
      ['Chain #12', '/acme/projects/checkout/chains/12'],
      ['Session #12', '/acme/projects/checkout/sessions/12'],
    ]);
  });

  it.each([
    ['/acme', '12'],
    ['/acme/projects/checkout', '0'],
    ['/acme/projects/checkout', '12a'],
    ['/acme/projects/checkout', 'chn_short'],
  ])('at %s %j finds nothing by number', (pathname, typed) => {
    expect(found(pathname, typed)).toEqual([]);
  });

  it('is found by its id on every page', () => {
    expect(found('/acme', CHAIN)).toEqual([[`Chain ${CHAIN}`, 'find']]);
  });
});

describe('[PAG-1.4] by its name', () => {
  const go = (href: string) => ({ kind: 'go', href });
  const project = '/acme/projects/checkout';

  it.each([
    ['/acme', 'web', 'Services', 'web', `${project}/services/web`],
    ['/acme', 'billing web', 'Services', 'web', '/acme/projects/billing/services/web'],
    ['/acme', 'eu-1', 'Runners', 'eu-1', '/acme/runners/rnr_1'],
    ['/acme', 'weber', 'People', 'Tom Weber', '/acme/settings/members'],
    [
      '/acme',
      'signature',
      'Documentation',
      'Verify a signature',
      '/docs/webhooks#verify-a-signature',
    ],
    [project, 'stall timeout', 'Settings', 'Tiers and tools', `${project}/settings/tiers`],
    [project, 'cron', 'Settings', 'Schedule', `${project}/settings/schedule`],
    ['/acme', 'invitation', 'Settings', 'Members', '/acme/settings/members'],
    ['/acme', 'apprise', 'Settings', 'Notifications', '/acme/settings/notifications'],
    ['/acme', 'money', 'Go to', 'Spend', '/acme/spend'],
    ['/acme', 'approve', 'Go to', 'Approvals', '/acme/approvals'],
  ])('at %s %j finds first under %s: %s', (pathname, typed, heading, label, href) => {
    const [first] = entriesAt(pathname, typed);
    expect(first).toMatchObject({ heading, label, act: go(href) });
  });

  it('says whose settings a section belongs to', () => {
    const found = entriesAt(project, 'general').map(({ label, detail }) => [label, detail]);
    expect(found).toEqual([
      ['General', 'Settings of Checkout'],
      ['General', 'Organization settings'],
    ]);
  });
});

describe('[PAG-1.4] by words in reports and commands', () => {
  const hits = {
    numbers: [
      { kind: 'chains' as const, number: 12, project: checkout },
      { kind: 'chains' as const, number: 12, project: billing },
    ],
    reports: [{ ...hit, seq: null }],
    commands: [hit, { ...hit, chain: null, conversationId: 'cnv_1' }],
  };
  const found = (pathname: string) =>
    entriesAt(pathname, 'zzz', 'viewer', { ...LOADED, hits }).map(
      ({ heading, label, detail, act }) => [
        heading,
        label,
        detail,
        act.kind === 'go' ? act.href : act.kind,
      ],
    );

  it('leads to the report, to the place in the log, or to the conversation', () => {
    expect(found('/acme/projects/checkout')).toEqual([
      ['By number', 'Chain #12', 'Billing', '/acme/projects/billing/chains/12'],
      [
        'In reports',
        'docker restart',
        'Chain #12 · Session #19 · Tier 2 · Checkout',
        '/acme/projects/checkout/sessions/19/report',
      ],
      [
        'In commands',
        'docker restart',
        'Chain #12 · Session #19 · Tier 2 · Checkout',
        '/acme/projects/checkout/sessions/19?event=41',
      ],
      [
        'In commands',
        'docker restart',
        'Ask · Session #19 · Tier 2 · Checkout',
        '/acme/projects/checkout/ask/cnv_1',
      ],
    ]);
  });
});
