import { describe, expect, it } from 'vitest';
import { CHAIN_OUTCOMES } from '@/lib/engine/statuses';
import { SERVICE_STATUSES } from '@/lib/protocol/spec';
import {
  at,
  chainFacts,
  failing,
  incidentFacts,
  overviewOf,
  pauseBy,
  projectFacts,
  RUNNER,
  utcClock,
  withVerdict,
} from '@/tests/support/overview-facts';
import { attentionOf } from './attention';
import { compareConditions, conditionOf } from './condition';
import { summarizeOrganization, summarizeProject } from './health-summary';
import type { Overview, ProjectFacts } from './schema';

const kinds = (overview: Overview) => attentionOf(overview).map(({ kind }) => kind);

const named = (slug: string, changes: Partial<ProjectFacts>) =>
  projectFacts({ slug, name: slug, ...changes });

const EXCUSES = {
  none: {},
  snooze: { snooze: { until: at('16:00'), by: 'Ana' } },
  acknowledgement: { acknowledged: { by: 'Ana', chainNumber: 11, incidentNumber: null } },
};

const WINDOW = {
  name: 'Disk swap',
  effect: 'observe_only',
  startsAt: at('14:00'),
  endsAt: at('16:00'),
} as const;

const NO_SERVICES = { healthy: 0, degraded: 0, down: 0, unknown: 0 };

describe('what needs attention', () => {
  it('is nothing when all is well', () => {
    expect(attentionOf(overviewOf())).toEqual([]);
  });

  it('is what is down, by its first failure, then what cannot start, what is degraded, what is missing', () => {
    const late = named('late', { failing: [failing({ since: at('14:50') })] });
    const early = named('early', { failing: [failing({ since: at('13:00') })] });
    const human = { ...withVerdict({ outcome: 'needs_human' }), slug: 'human' };
    const spent = named('spent', { dayMicros: 10_000_000 });
    const slow = named('slow', { failing: [failing({ status: 'degraded' })] });
    const stranded = named('stranded', { pool: 'us' });
    const missing = { ...RUNNER, id: '1', name: 'eu-2', isOnline: false, isMissed: true };
    const items = attentionOf(
      overviewOf([slow, stranded, spent, human, late, early], { runners: [RUNNER, missing] }),
    );
    expect(items.map((item) => ('project' in item ? item.project.slug : item.kind))).toEqual([
      ...['early', 'late', 'human', 'spent', 'no_runner', 'slow', 'runner_offline'],
    ]);
  });

  it('is a whole outage as one item, whatever number of chains found it', () => {
    const chain = chainFacts({ number: 4, outcome: 'needs_human' });
    const project = projectFacts({
      failing: [failing({ chains: 3 })],
      lastChain: chain,
      lastVerdict: chain,
    });
    expect(attentionOf(overviewOf([project]))).toMatchObject([
      { kind: 'outage', outage: { chains: 3, since: at('14:27') }, chain: { number: 4 } },
    ]);
  });

  it('keeps what is down when someone has acknowledged it, below what nobody has', () => {
    const taken = named('taken', {
      failing: [
        failing({
          since: at('13:00'),
          acknowledged: { by: 'Ana', chainNumber: 4, incidentNumber: null },
        }),
      ],
    });
    const open = named('open', { failing: [failing()] });
    const items = attentionOf(overviewOf([taken, open]));
    expect(items.map((item) => ('project' in item ? item.project.slug : null))).toEqual([
      'open',
      'taken',
    ]);
  });

  it('is no chain that somebody has acknowledged once nothing fails', () => {
    const taken = withVerdict({ outcome: 'needs_human', acknowledgedBy: 'Ana Ruiz' });
    expect(kinds(overviewOf([taken]))).toEqual([]);
  });

  it('is not an offline runner whose whole pool is named already', () => {
    const silent = { ...RUNNER, isOnline: false, isMissed: true };
    expect(kinds(overviewOf([projectFacts()], { runners: [silent] }))).toEqual(['no_runner']);
  });

  it.each<[string, Partial<ProjectFacts>, string | null]>([
    ['open and needed', {}, 'needs_human'],
    ['all services healthy', { services: { ...NO_SERVICES, healthy: 2 } }, 'needs_human'],
    ['nothing can be checked', { services: { ...NO_SERVICES, unknown: 2 } }, 'needs_human'],
    ['a degraded service', { failing: [failing({ status: 'degraded' })] }, 'needs_human'],
    [
      'a degraded service that someone has acknowledged',
      {
        failing: [
          failing({
            status: 'degraded',
            acknowledged: { by: 'Ana', chainNumber: null, incidentNumber: 4 },
          }),
        ],
      },
      'needs_human',
    ],
    ['another service down', { failing: [failing()] }, 'down'],
    ['another service snoozed', { failing: [failing({ ...EXCUSES.snooze })] }, 'needs_human'],
    ['a pause', { pause: pauseBy('Ana') }, 'needs_human'],
    ['a spent budget', { dayMicros: 10_000_000 }, 'needs_human'],
    ['not needed yet', { incident: incidentFacts({ needsHumanSince: null }) }, 'incident'],
    ['acknowledged', { incident: incidentFacts({ state: 'acknowledged' }) }, 'ok'],
    ['verifying', { incident: incidentFacts({ state: 'verifying' }) }, 'ok'],
    ['its services snoozed', { incident: incidentFacts({ isSnoozed: true }) }, 'ok'],
    ['a maintenance window', { maintenance: { ...WINDOW } }, 'ok'],
  ])('[INC-2.3] is an incident that needs a human: %s', (_case, changes, state) => {
    const project = projectFacts({ isMonitored: true, incident: incidentFacts(), ...changes });
    const condition = conditionOf(project, overviewOf());
    expect(condition.state).toBe(state);
    const isNeeded = state === 'needs_human';
    expect(condition.since).toEqual(isNeeded ? at('14:40') : condition.since);
    expect(kinds(overviewOf([project])).includes('incident')).toBe(
      isNeeded || state === 'incident',
    );
  });

  it('is no missing runner of a project that is paused', () => {
    const paused = projectFacts({ pause: pauseBy('Ana') });
    expect(kinds(overviewOf([paused], { runners: [] }))).toEqual([]);
  });
});

const HOLDS: Record<string, (project: ProjectFacts, overview: Overview) => void> = {
  nothing: () => undefined,
  'a pause of the project': (project) => {
    project.pause = pauseBy('Ana');
  },
  'a pause of the organization': (_project, overview) => {
    overview.organization.pause = pauseBy('Ana');
  },
  'a dry run': (project) => {
    project.isDryRun = true;
  },
  'a spent budget': (project) => {
    project.dayMicros = 10_000_000;
  },
  'no runner': (_project, overview) => {
    overview.runners = [];
  },
};

interface Case {
  outcome: string | null;
  excuse: keyof typeof EXCUSES;
  isMaintenance: boolean;
}

const CASES: Case[] = [...CHAIN_OUTCOMES, null].flatMap((outcome) =>
  (Object.keys(EXCUSES) as (keyof typeof EXCUSES)[]).flatMap((excuse) =>
    [false, true].map((isMaintenance) => ({ outcome, excuse, isMaintenance })),
  ),
);

type Status = (typeof SERVICE_STATUSES)[number];

/** One project whose only service has the status. */
function overviewFor(status: Status, hold: string, { outcome, excuse, isMaintenance }: Case) {
  const isFailing = status === 'down' || status === 'degraded';
  const last = chainFacts({ outcome, status: outcome === null ? 'running' : 'ended' });
  const project = projectFacts({
    failing: isFailing ? [failing({ status, ...EXCUSES[excuse] })] : [],
    services: { healthy: 0, degraded: 0, down: 0, unknown: 0, [status]: 1 },
    maintenance: isMaintenance ? { ...WINDOW } : null,
    lastChain: last,
    lastVerdict: outcome === null || outcome === 'stopped' ? null : last,
  });
  const overview = overviewOf([project]);
  HOLDS[hold]?.(project, overview);
  return { project, overview };
}

describe.each(Object.keys(HOLDS))('held back by %s, whatever the last chain reported', (hold) => {
  it('[PAG-1.2] a down service is named, needs attention, and is never a good state', () => {
    for (const one of CASES) {
      const { project, overview } = overviewFor('down', hold, one);
      const label = JSON.stringify(one);
      const home = summarizeOrganization(overview, utcClock);
      const summary = summarizeProject(project, overview, utcClock);
      expect(summary.condition.state, label).not.toBe('ok');
      expect(summary.mark.kind, label).not.toBe('project');
      for (const sentence of [summary.sentence, summary.short]) {
        expect(sentence, label).toMatch(/^web (has been|is) down /);
      }
      expect(home.sentence, label).not.toMatch(/nothing needs attention/i);
      if (one.excuse === 'snooze' || one.isMaintenance) {
        const why = /but (snoozed by Ana until 16:00|in maintenance “Disk swap” until 16:00)/;
        expect(summary.sentence, label).toMatch(why);
        continue;
      }
      expect(home.sentence, label).toContain('web has been down since 14:27 (31 min)');
      expect(home, label).toMatchObject({ title: '1 down · Acme', tone: 'bad' });
      expect(summary, label).toMatchObject({
        mark: { kind: 'service', state: 'down' },
        title: 'Down · Checkout',
      });
      expect(kinds(overview), label).toContain('outage');
    }
  });

  it.each(SERVICE_STATUSES)(
    '[PAG-1.2] home, project and tab agree when its service is %s',
    (status) => {
      for (const one of CASES) {
        const { project, overview } = overviewFor(status, hold, one);
        const label = JSON.stringify(one);
        const { condition, title } = summarizeProject(project, overview, utcClock);
        const home = summarizeOrganization(overview, utcClock);
        const { needsAttention } = condition;
        expect(kinds(overview).length > 0, label).toBe(needsAttention);
        expect(/^1 of 1 project needs attention\./.test(home.sentence), label).toBe(needsAttention);
        expect(home.tone !== null, label).toBe(needsAttention);
        expect(title !== 'Checkout', label).toBe(needsAttention);
      }
    },
  );
});

it('orders projects by state, then by what nobody has acknowledged, then by the first failure', () => {
  const around = overviewOf();
  const ranked = [
    projectFacts({ failing: [failing({ since: at('13:00') })] }),
    projectFacts({ failing: [failing()] }),
    projectFacts({
      failing: [
        failing({
          since: at('12:00'),
          acknowledged: { by: 'Ana', chainNumber: 1, incidentNumber: null },
        }),
      ],
    }),
    withVerdict({ outcome: 'needs_human' }),
    projectFacts({ dayMicros: 10_000_000 }),
    projectFacts({ failing: [failing({ status: 'degraded' })] }),
    projectFacts({ failing: [failing({ snooze: { until: at('16:00'), by: 'Ana' } })] }),
    projectFacts({ pause: pauseBy('Ana') }),
    projectFacts(),
  ].map((project) => conditionOf(project, around));
  expect(ranked.toReversed().toSorted(compareConditions)).toEqual(ranked);
});
