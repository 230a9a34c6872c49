import { describe, expect, it } from 'vitest';
import type { Overview, ProjectFacts, RunnerFacts, ServiceFacts } from './schema';
import { homeSentence, projectSentence } from './sentences';
import { attentionOf, projectState, troubleRank } from './state';

const now = new Date('2026-11-21T14:58:00Z');
const clock = (at: Date) => at.toISOString().slice(11, 16);

const chain = {
  number: 12,
  status: 'ended',
  outcome: 'healthy',
  outcomeReason: null as string | null,
  statusText: '',
  highestTier: 1,
  createdAt: new Date('2026-11-21T14:50:00Z'),
  endedAt: new Date('2026-11-21T14:56:41Z'),
  acknowledgedBy: null as string | null,
  servicesAffected: [] as string[],
};

const project: ProjectFacts = {
  id: '0',
  slug: 'checkout',
  name: 'Checkout',
  version: 14,
  nextRunAt: new Date('2026-11-21T15:00:00Z'),
  pause: null,
  tierPauses: [],
  maintenance: null,
  harness: 'claude',
  isDryRun: false,
  pool: 'eu',
  hasLeakingRules: false,
  dayLimitMicros: 10_000_000,
  monthLimitMicros: null,
  dayMicros: 2_830_000,
  monthMicros: 2_830_000,
  last24hMicros: 2_830_000,
  services: { healthy: 2, degraded: 0, down: 0, unknown: 0 },
  lastChain: chain,
  lastVerdict: chain,
};

const runner: RunnerFacts = {
  id: '0',
  name: 'eu-1',
  pool: 'eu',
  lastSeenAt: now,
  isOnline: true,
  isMissed: false,
};

function overview(changes: Partial<Overview> = {}): Overview {
  return {
    now,
    organization: { name: 'Acme', isDemo: false, pause: null },
    projects: [project],
    runners: [runner],
    isDryRunForced: false,
    thresholdOverride: null,
    ...changes,
  };
}

function withVerdict(changes: Partial<typeof chain>): ProjectFacts {
  const verdict = { ...chain, ...changes };
  return { ...project, lastChain: verdict, lastVerdict: verdict };
}

const human = withVerdict({
  outcome: 'needs_human',
  highestTier: 3,
  servicesAffected: ['payments-db'],
});
const spent = { ...project, slug: 'billing', name: 'Billing', dayMicros: 10_000_000 };

describe('what needs attention', () => {
  it('is nothing when all is well', () => {
    expect(attentionOf(overview())).toEqual([]);
  });

  it('is what failed first, then what cannot start, then what is missing', () => {
    const stranded = { ...project, slug: 'search', pool: 'us' };
    const missing = { ...runner, id: '1', name: 'eu-2', isOnline: false, isMissed: true };
    const items = attentionOf(
      overview({ projects: [stranded, spent, human], runners: [runner, missing] }),
    );
    expect(items.map((item) => item.kind)).toEqual([
      'chain',
      'budget',
      'no_runner',
      'runner_offline',
    ]);
  });

  it('is not a chain that somebody has taken in hand', () => {
    const taken = withVerdict({ outcome: 'needs_human', acknowledgedBy: 'Ana Ruiz' });
    expect(attentionOf(overview({ projects: [taken] }))).toEqual([]);
  });

  it('is not an offline runner whose whole pool is named already', () => {
    const silent = { ...runner, isOnline: false, isMissed: true };
    const items = attentionOf(overview({ runners: [silent] }));
    expect(items.map((item) => item.kind)).toEqual(['no_runner']);
  });
});

describe('the first sentence of the home page', () => {
  it.each<[string, Overview]>([
    ['No projects yet.', overview({ projects: [] })],
    ['Nothing needs attention. 1 project.', overview()],
    [
      'Nothing needs attention. 1 project, 1 cycle running now.',
      overview({ projects: [{ ...project, lastChain: { ...chain, outcome: null } }] }),
    ],
    [
      '1 of 2 projects needs attention. Checkout: payments-db needs a human since 14:56.',
      overview({ projects: [human, { ...project, slug: 'search' }] }),
    ],
    [
      '1 of 1 project needs attention. Checkout: #12 failed at 14:56.',
      overview({ projects: [withVerdict({ outcome: 'failed' })] }),
    ],
    [
      '1 of 1 project needs attention. Billing has used up its budget of the day, so no chain starts.',
      overview({ projects: [spent] }),
    ],
    [
      '1 of 1 project needs attention. No runner of pool eu takes new work, so nothing there can start.',
      overview({ runners: [] }),
    ],
    [
      'Everything is paused, so no chain starts.',
      overview({
        organization: {
          name: 'Acme',
          isDemo: false,
          pause: { at: now, by: 'Ana', reason: '', endsAt: null },
        },
      }),
    ],
  ])('%s', (sentence, facts) => {
    expect(homeSentence(facts, clock)).toBe(sentence);
  });
});

describe('the first sentence of a project', () => {
  const service: ServiceFacts = {
    name: 'web',
    status: 'healthy',
    statusSince: null,
    lastCheckedAt: now,
    lastError: '',
    snoozedUntil: null,
    cells: [],
  };
  const down = { ...service, name: 'payments-db', status: 'down' as const };
  const slow = { ...service, name: 'api', status: 'degraded' as const };

  it.each<[string, ProjectFacts, ServiceFacts[], Partial<Overview>]>([
    [
      'payments-db is down; #12 ended with “needs a human” after tier 3.',
      human,
      [down, service],
      {},
    ],
    [
      'payments-db is down, api is degraded; tier 2 is at work in #12.',
      {
        ...project,
        lastChain: { ...chain, outcome: null, status: 'running', highestTier: 2 },
      },
      [down, slow],
      {},
    ],
    [
      'All 2 services are healthy; #12 found no problems.',
      project,
      [service, { ...service, name: 'api' }],
      {},
    ],
    [
      'web is healthy; #12 was fixed by tier 2.',
      withVerdict({ outcome: 'fixed', highestTier: 2 }),
      [service],
      {},
    ],
    [
      'web is healthy; #13: waiting for a runner.',
      {
        ...project,
        lastChain: {
          ...chain,
          number: 13,
          outcome: null,
          status: 'queued',
          statusText: 'Waiting for a runner.',
        },
      },
      [service],
      {},
    ],
    [
      'No cycle has run yet. The first starts at 15:00 on pool eu.',
      { ...project, lastChain: null, lastVerdict: null },
      [service],
      {},
    ],
    [
      'No cycle has run yet: no runner of pool eu is online.',
      { ...project, lastChain: null, lastVerdict: null },
      [service],
      { runners: [] },
    ],
  ])('%s', (sentence, facts, services, around) => {
    expect(projectSentence(facts, services, overview(around), clock)).toBe(sentence);
  });
});

describe('a project is', () => {
  it.each<[string, ProjectFacts, Overview['organization']['pause']]>([
    ['active', project, null],
    ['setup', { ...project, lastChain: null }, null],
    ['budget_stopped', spent, null],
    ['paused', { ...spent, pause: { at: now, by: 'Ana', reason: '', endsAt: null } }, null],
    ['paused', project, { at: now, by: 'Ana', reason: '', endsAt: null }],
  ])('%s', (state, facts, pause) => {
    expect(projectState(facts, { pause })).toBe(state);
  });

  it('ranked by its trouble', () => {
    const down = { ...project, services: { healthy: 1, degraded: 0, down: 1, unknown: 0 } };
    const ranks = [human, spent, down, project].map(troubleRank);
    expect(ranks).toEqual([...ranks].sort());
    expect(new Set(ranks).size).toBe(4);
  });
});
