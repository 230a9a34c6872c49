import { describe, expect, it } from 'vitest';
import {
  at,
  chainFacts,
  failing,
  incidentFacts,
  NOW,
  overviewOf,
  pauseBy,
  projectFacts,
  RUNNER,
  utcClock,
  withVerdict,
} from '@/tests/support/overview-facts';
import { serviceSentence, summarizeOrganization, summarizeProject } from './health-summary';
import type { Overview, ProjectFacts } from './schema';

const MAX_TIER = 'Tier 2 is needed but the maximum for Checkout is tier 1.';
const down = [failing()];
const needsHuman = { outcome: 'needs_human', outcomeReason: 'MAX_TIER', statusText: MAX_TIER };
const unknownBesides = {
  onlyService: null,
  services: { healthy: 1, degraded: 0, down: 0, unknown: 1 },
};
const spent = projectFacts({ slug: 'billing', name: 'Billing', dayMicros: 10_000_000 });
const moving = (changes: object) => chainFacts({ number: 13, outcome: null, ...changes });
const organization = (pause: Overview['organization']['pause']) => ({
  organization: { name: 'Acme', isDemo: false, pause },
});

describe('the sentence of a project', () => {
  it.each<[string, ProjectFacts, Partial<Overview>]>([
    [
      'web has been down since 14:27 (31 min); Chain #12 needs a human: tier 2 is needed but the maximum for Checkout is tier 1.',
      withVerdict(needsHuman, { failing: down }),
      {},
    ],
    [
      'web has been down since 14:27 (31 min); Chain #12 did not escalate because it was a dry run. Dry run: no tier above 1 starts.',
      withVerdict(
        { outcome: 'suppressed', outcomeReason: 'DRY_RUN', statusText: 'Escalation suppressed' },
        { failing: down, isDryRun: true },
      ),
      {},
    ],
    [
      'web has been down since 14:27 (31 min), and api is degraded; tier 2 is working on it in Chain #13.',
      projectFacts({
        failing: [failing({ name: 'api', status: 'degraded' }), failing()],
        lastChain: moving({ status: 'running', highestTier: 2 }),
      }),
      {},
    ],
    [
      'db and web are down, the first since 14:10 (48 min); tier 1 is checking in Chain #13.',
      projectFacts({
        failing: [failing(), failing({ name: 'db', since: at('14:10') })],
        lastChain: moving({ status: 'running' }),
      }),
      {},
    ],
    [
      'web is down, failing since 14:00 (58 min); Chain #12 reported no problems, but the check still fails.',
      projectFacts({ failing: [failing({ since: at('14:00') })] }),
      {},
    ],
    [
      'web has been down since 14:27 (31 min); tier 2 reported a fix in Chain #12, but the check still fails.',
      withVerdict({ outcome: 'fixed', highestTier: 2 }, { failing: down }),
      {},
    ],
    [
      'web has been down since 14:27 (31 min); acknowledged by Ana Ruiz in Chain #11.',
      withVerdict(
        { outcome: 'suppressed', outcomeReason: 'ACKNOWLEDGED' },
        {
          failing: [
            failing({ acknowledged: { by: 'Ana Ruiz', chainNumber: 11, incidentNumber: null } }),
          ],
        },
      ),
      {},
    ],
    [
      'web has been down since 14:27 (31 min); acknowledged by Ana Ruiz in Incident #3.',
      projectFacts({
        failing: [
          failing({ acknowledged: { by: 'Ana Ruiz', chainNumber: null, incidentNumber: 3 } }),
        ],
        lastVerdict: null,
        lastChain: null,
        isMonitored: true,
        incident: incidentFacts({ state: 'acknowledged', acknowledgedBy: 'Ana Ruiz' }),
      }),
      {},
    ],
    [
      'web has been down since 14:27 (31 min); Incident #3 needs a human.',
      projectFacts({
        failing: down,
        lastVerdict: null,
        lastChain: null,
        isMonitored: true,
        incident: incidentFacts(),
      }),
      {},
    ],
    [
      'web is healthy; Incident #3 is being verified.',
      withVerdict(
        { outcome: 'needs_human', incidentState: 'verifying' },
        {
          isMonitored: true,
          incident: incidentFacts({ state: 'verifying', needsHumanSince: null }),
        },
      ),
      {},
    ],
    [
      'web has been down since 14:27 (31 min); tier 2 reported a fix in Chain #12, which no check confirms yet.',
      withVerdict(
        { outcome: 'fixed', highestTier: 2, incidentState: 'open' },
        {
          failing: down,
          isMonitored: true,
          incident: incidentFacts({ state: 'open', needsHumanSince: null }),
        },
      ),
      {},
    ],
    [
      'web has been down since 14:27 (31 min); Chain #12 did not escalate because of a snooze.',
      withVerdict(
        { outcome: 'suppressed', outcomeReason: 'SNOOZED', incidentState: 'open' },
        { failing: down, incident: incidentFacts({ state: 'open', needsHumanSince: null }) },
      ),
      {},
    ],
    [
      'web has been down since 14:27 (31 min); acknowledged by Ana Ruiz in Chain #11.',
      projectFacts({
        failing: [
          failing({ acknowledged: { by: 'Ana Ruiz', chainNumber: 11, incidentNumber: null } }),
        ],
        lastVerdict: null,
        lastChain: null,
        isMonitored: true,
        incident: incidentFacts(),
      }),
      {},
    ],
    [
      'web has been down since 14:27 (31 min).',
      withVerdict(
        { outcome: 'fixed', highestTier: 2, incidentState: 'resolved' },
        {
          failing: down,
          isMonitored: true,
          incident: incidentFacts({ state: 'open', needsHumanSince: null }),
        },
      ),
      {},
    ],
    [
      'web is healthy.',
      withVerdict({ outcome: 'needs_human', incidentState: 'resolved' }, { isMonitored: true }),
      {},
    ],
    [
      'web is healthy.',
      projectFacts({ lastVerdict: null, lastChain: null, isMonitored: true }),
      {},
    ],
    [
      'web is healthy. Checkout is paused by Tom, so no chain starts.',
      projectFacts({
        lastVerdict: null,
        lastChain: null,
        isMonitored: true,
        pause: pauseBy('Tom'),
      }),
      {},
    ],
    // What the services show is no excuse for an incident that needs a human.
    [
      '1 service healthy, 1 not checked; Incident #3 needs a human.',
      projectFacts({ ...unknownBesides, isMonitored: true, incident: incidentFacts() }),
      {},
    ],
    [
      '1 service healthy, 1 not checked; Incident #3 needs a human; tier 1 is checking in Chain #13.',
      projectFacts({
        ...unknownBesides,
        isMonitored: true,
        incident: incidentFacts(),
        lastChain: moving({ status: 'running' }),
      }),
      {},
    ],
    [
      'api has been degraded since 14:27 (31 min); Incident #3 needs a human.',
      projectFacts({
        failing: [
          failing({
            name: 'api',
            status: 'degraded',
            acknowledged: { by: 'Ana Ruiz', chainNumber: null, incidentNumber: 4 },
          }),
        ],
        isMonitored: true,
        incident: incidentFacts(),
      }),
      {},
    ],
    [
      'web is healthy; Chain #12 failed in tier 1; Incident #3 needs a human.',
      withVerdict({ outcome: 'failed' }, { isMonitored: true, incident: incidentFacts() }),
      {},
    ],
    [
      '1 service healthy, 1 not checked; Incident #3 is open.',
      projectFacts({
        ...unknownBesides,
        isMonitored: true,
        incident: incidentFacts({ needsHumanSince: null }),
      }),
      {},
    ],
    [
      '1 service healthy, 1 not checked; Incident #3 is acknowledged by Ana Ruiz.',
      projectFacts({
        ...unknownBesides,
        isMonitored: true,
        incident: incidentFacts({ state: 'acknowledged', acknowledgedBy: 'Ana Ruiz' }),
      }),
      {},
    ],
    // A runner that takes no new work still runs the checks.
    [
      'web is healthy; Chain #12 found no problems. No runner of pool eu takes new work, so no chain starts.',
      projectFacts({ isMonitored: true }),
      { runners: [{ ...RUNNER, isOnline: false }] },
    ],
    [
      'web is healthy; Chain #12 found no problems. No runner of pool eu takes new work, so nothing is checked.',
      projectFacts({ isMonitored: true }),
      { runners: [{ ...RUNNER, isOnline: false, isConnected: false }] },
    ],
    [
      'web is healthy; Chain #12 found no problems. No runner of pool eu takes new work, so no chain starts.',
      projectFacts({ isMonitored: true, needsRunner: false, checkerId: null }),
      { runners: [] },
    ],
    [
      'web is healthy; Chain #12 found no problems. No runner of pool eu takes new work, so nothing is checked.',
      projectFacts({ isMonitored: true, checkerId: null }),
      { runners: [{ ...RUNNER, isOnline: false }] },
    ],
    [
      'web is healthy; Chain #12 found no problems. Checkout is paused by Tom, so no chain starts and nothing is checked.',
      projectFacts({ isMonitored: true, checkerId: null, pause: pauseBy('Tom') }),
      {},
    ],
    [
      'web is down but snoozed by Ana Ruiz until 15:30; 1 other service healthy; Chain #12 found no problems.',
      projectFacts({ failing: [failing({ snooze: { until: at('15:30'), by: 'Ana Ruiz' } })] }),
      {},
    ],
    [
      'web has been down since 14:27 (31 min); Chain #12 failed in tier 1: no output for 3 min. Checkout is paused by Tom, so no chain starts and nothing is checked.',
      withVerdict(
        { outcome: 'failed', statusText: 'No output for 3 min.' },
        { failing: down, pause: pauseBy('Tom') },
      ),
      {},
    ],
    [
      'web is healthy; Chain #12 needs a human: tier 2 is needed but the maximum for Checkout is tier 1; Chain #13: waiting for a runner.',
      withVerdict(needsHuman, {
        lastChain: moving({ status: 'queued', statusText: 'Waiting for a runner.' }),
      }),
      {},
    ],
    [
      'web is healthy; tier 2 reported a fix for web in Chain #12.',
      withVerdict({ outcome: 'fixed', highestTier: 2, servicesAffected: ['web'] }),
      {},
    ],
    ['web is healthy; Chain #12 found no problems.', projectFacts(), {}],
    [
      'web is healthy; Chain #12 found no problems. No runner of pool eu takes new work, so nothing is checked.',
      projectFacts(),
      { runners: [] },
    ],
    [
      'No chain has run yet. The first starts at 15:00 on pool eu.',
      projectFacts({ lastChain: null, lastVerdict: null }),
      {},
    ],
    [
      'No chain has run yet. No runner of pool eu takes new work, so nothing is checked.',
      projectFacts({ lastChain: null, lastVerdict: null }),
      { runners: [] },
    ],
    [
      '2 services healthy, 1 not checked; Chain #12 found no problems.',
      projectFacts({
        onlyService: null,
        services: { healthy: 2, degraded: 0, down: 0, unknown: 1 },
      }),
      {},
    ],
  ])('[INC-2.3] %s', (sentence, project, around) => {
    expect(summarizeProject(project, overviewOf([project], around), utcClock).sentence).toBe(
      sentence,
    );
  });
});

describe('the sentence of the home page', () => {
  it.each<[string, Overview]>([
    ['No projects yet.', overviewOf([])],
    ['Nothing needs attention. 1 project.', overviewOf()],
    [
      'Nothing needs attention. 1 project, 1 chain running.',
      overviewOf([projectFacts({ lastChain: moving({ status: 'running' }) })]),
    ],
    [
      '1 of 2 projects needs attention. Checkout: web has been down since 14:27 (31 min); Chain #12 found no problems.'.replace(
        'found no problems',
        'reported no problems, but the check still fails',
      ),
      overviewOf([projectFacts({ failing: down }), projectFacts({ slug: 'search' })]),
    ],
    [
      '1 of 1 project needs attention. Checkout: Chain #12 failed in tier 1.',
      overviewOf([withVerdict({ outcome: 'failed' })]),
    ],
    [
      '1 of 1 project needs attention. Billing: The budget of the day is used up, so no chain starts until it is raised or the next day begins (UTC).',
      overviewOf([spent]),
    ],
    [
      '1 of 1 project needs attention. No runner of pool eu takes new work, so nothing is checked for Checkout.',
      overviewOf([projectFacts()], { runners: [] }),
    ],
    [
      '1 of 1 project needs attention. Checkout: 1 service healthy, 1 not checked; Incident #3 needs a human.',
      overviewOf([
        projectFacts({ ...unknownBesides, isMonitored: true, incident: incidentFacts() }),
      ]),
    ],
    [
      '2 of 2 projects need attention. No runner of pool eu takes new work, so nothing is checked for Billing, and no chain starts for Checkout.',
      overviewOf(
        [
          projectFacts({ isMonitored: true }),
          projectFacts({ slug: 'billing', name: 'Billing', isMonitored: true, checkerId: null }),
        ],
        { runners: [{ ...RUNNER, isOnline: false }] },
      ),
    ],
    [
      'Nothing needs attention. 2 projects. Acme is paused by Ana, so no chain starts and nothing is checked for 1 of 2 projects.',
      overviewOf(
        [projectFacts({ isMonitored: true }), projectFacts({ slug: 'billing' })],
        organization(pauseBy('Ana')),
      ),
    ],
    [
      'Checkout: web is down but in maintenance “Disk swap” until 16:00. Nothing else needs attention.',
      overviewOf([
        projectFacts({
          failing: down,
          maintenance: {
            name: 'Disk swap',
            effect: 'observe_only',
            startsAt: at('14:00'),
            endsAt: at('16:00'),
          },
        }),
      ]),
    ],
    [
      '1 of 1 project needs attention. Checkout: web has been down since 14:27 (31 min); Chain #12 reported no problems, but the check still fails. Acme is paused by Ana, so no chain starts and nothing is checked.',
      overviewOf([projectFacts({ failing: down })], organization(pauseBy('Ana'))),
    ],
    [
      'Nothing needs attention. 1 project. Acme is paused by Ana, so no chain starts and nothing is checked.',
      overviewOf([projectFacts()], organization(pauseBy('Ana'))),
    ],
    [
      '1 project, and nothing has been checked yet.',
      overviewOf([
        projectFacts({
          lastChain: null,
          lastVerdict: null,
          services: { healthy: 0, degraded: 0, down: 0, unknown: 1 },
        }),
      ]),
    ],
  ])('[INC-2.3] %s', (sentence, overview) => {
    expect(summarizeOrganization(overview, utcClock).sentence).toBe(sentence);
  });
});

describe('badge and title', () => {
  const unchecked = { healthy: 0, degraded: 0, down: 0, unknown: 2 };

  it.each<[string, string, string | null, ProjectFacts, Partial<Overview>]>([
    ['Checkout', 'project active', null, projectFacts(), {}],
    ['Down · Checkout', 'service down', null, projectFacts({ failing: down }), {}],
    [
      'Down · Checkout',
      'service down',
      'paused',
      projectFacts({ failing: down, pause: pauseBy('Ana') }),
      {},
    ],
    ['Needs a human · Checkout', 'chain needs_human', null, withVerdict(needsHuman), {}],
    [
      'Needs a human · Checkout',
      'chain needs_human',
      null,
      projectFacts({ ...unknownBesides, isMonitored: true, incident: incidentFacts() }),
      {},
    ],
    ['Needs a human · Checkout', 'chain lost', null, withVerdict({ outcome: 'lost' }), {}],
    ['Can’t start · Billing', 'project budget_stopped', null, spent, {}],
    ['Can’t start · Checkout', 'runner offline', null, projectFacts(), { runners: [] }],
    [
      'Degraded · Checkout',
      'service degraded',
      null,
      projectFacts({ failing: [failing({ status: 'degraded' })] }),
      {},
    ],
    [
      'Checkout',
      'service down',
      null,
      projectFacts({ failing: [failing({ snooze: { until: at('15:30'), by: 'Ana' } })] }),
      {},
    ],
    ['Checkout', 'project paused', null, projectFacts({ pause: pauseBy('Ana') }), {}],
    ['Checkout', 'service unknown', null, projectFacts({ services: unchecked }), {}],
    [
      'Checkout',
      'project setup',
      null,
      projectFacts({ services: unchecked, lastChain: null, lastVerdict: null }),
      {},
    ],
  ])('%s, %s', (title, mark, hold, project, around) => {
    const summary = summarizeProject(project, overviewOf([project], around), utcClock);
    expect(summary.title).toBe(title);
    expect(`${summary.mark.kind} ${summary.mark.state}`).toBe(mark);
    expect(summary.hold?.state ?? null).toBe(hold);
  });

  it.each<[string, string | null, ProjectFacts[]]>([
    ['Acme', null, [projectFacts()]],
    ['1 down · Acme', 'bad', [projectFacts({ failing: down }), spent]],
    ['2 need attention · Acme', 'bad', [withVerdict(needsHuman), spent]],
    [
      '1 needs attention · Acme',
      'wait',
      [projectFacts({ failing: [failing({ status: 'degraded' })] })],
    ],
  ])('of the home page: %s', (title, tone, projects) => {
    expect(summarizeOrganization(overviewOf(projects), utcClock)).toMatchObject({ title, tone });
  });
});

it.each([
  [
    'web has been down since 14:27 (31 min). Connection refused.',
    { status: 'down', failingSince: at('14:27') },
  ],
  ['web has been healthy since 14:27 (31 min).', { status: 'healthy' }],
  ['web has not been checked yet.', { status: 'unknown', statusSince: null, lastError: '' }],
  [
    '[INC-1.1] web couldn’t be checked. There is no docker on this runner.',
    { status: 'unknown', lastError: 'There is no docker on this runner.' },
  ],
  [
    'web has been down since 14:27 (31 min). Connection refused. Snoozed by Ana until 15:30: new disk; nothing escalates.',
    {
      status: 'down',
      failingSince: at('14:27'),
      snooze: { until: at('15:30'), by: 'Ana', reason: 'new disk' },
    },
  ],
] as const)('a service: %s', (sentence, facts) => {
  const service = {
    name: 'web',
    statusSince: at('14:27'),
    failingSince: null,
    lastError: 'Connection refused.',
    snooze: null,
    ...facts,
  };
  expect(serviceSentence(service, { now: NOW, clock: utcClock })).toBe(
    sentence.replace('[INC-1.1] ', ''),
  );
});
