import { describe, expect, it } from 'vitest';
import type { AffectedService, IncidentSignals } from './incident';
import {
  failureSentence,
  incidentTitle,
  resolutionSentence,
  subjectOf,
  verifyingSentence,
} from './sentences';

const at = (time: string) => new Date(`2026-11-26T${time}:00Z`);
/** Of an incident that was never reopened. */
const ONCE = { reopenings: 0, lastReopenedAt: null };
const clock = (moment: Date) => `${moment.toISOString().slice(11, 16)} UTC`;
const service = (
  name: string,
  status: AffectedService['status'],
  worst: AffectedService['worst'] = 'down',
): AffectedService => ({
  ...{ serviceId: name, name, status, worst, error: '' },
  ...{ wasFailing: status !== 'healthy', relapses: 0, removedAt: null },
  failingSince: at('03:02'),
  recoveredAt: status === 'healthy' ? at('03:20') : null,
});

describe('[INC-2.3] sentences about an incident', () => {
  it.each([
    [[service('web', 'down')], 'web down', 'web is down. It began at 03:02 UTC.'],
    [
      [service('web', 'down'), service('api', 'down')],
      'web and api down',
      'web and api are down. It began at 03:02 UTC.',
    ],
    [
      [service('web', 'down'), service('api', 'degraded', 'degraded')],
      'web down',
      'web is down, and api is degraded. It began at 03:02 UTC.',
    ],
    [[service('web', 'unknown')], 'web down', 'web can’t be checked. It began at 03:02 UTC.'],
    [[service('web', 'healthy')], 'web down', 'All of its services are healthy.'],
    [
      ['a', 'b', 'c', 'd'].map((name) => service(name, 'degraded', 'degraded')),
      'a, b and 2 more degraded',
      'a, b and 2 more are degraded. It began at 03:02 UTC.',
    ],
  ])('%#', (services, title, sentence) => {
    expect(incidentTitle({ services })).toBe(title);
    expect(failureSentence({ services, ...ONCE, startedAt: at('03:02') }, clock)).toBe(sentence);
  });

  it.each([
    [{ resolution: 'recovered' }, 'web has been healthy since 03:20 UTC, after 18 min.'],
    [
      { resolution: 'fixed', fixChainId: 'chain' },
      'web has been healthy since 03:20 UTC, after 18 min. An agent reported a fix, and the checks confirm it.',
    ],
    [{ resolution: 'manual', resolvedBy: 'Ana Ruiz' }, 'Ana Ruiz resolved it after 18 min.'],
    [
      { resolution: 'removed' },
      'Nothing checks web anymore, so it is resolved without a proven recovery, after 18 min.',
    ],
  ] as const)('that is %j', (ending, sentence) => {
    const incident = {
      ...{ ...ONCE, ...ending, startedAt: at('03:02'), services: [service('web', 'healthy')] },
      ...{ verifyingSince: at('03:20'), resolvedAt: at('03:30') },
    };
    expect(resolutionSentence(incident, clock)).toBe(sentence);
  });
});

it('[INC-2.3] a recovery that only chains found isn’t said to be proven', () => {
  const incident = {
    ...{ ...ONCE, startedAt: at('03:02'), services: [service('web', 'healthy')] },
    ...{ verifyingSince: at('03:20'), resolvedAt: at('03:30'), resolution: 'reported' as const },
  };
  expect(resolutionSentence(incident, clock)).toBe(
    'The last chain found web healthy at 03:20 UTC, after 18 min. No check without an agent confirms it.',
  );
});

it('[INC-2.3] a verification without proof names the checks that give none', () => {
  const check = (service: string, type = 'http') => ({ serviceId: service, service, type });
  const incident = { ...ONCE, services: [service('web', 'healthy')], startedAt: at('03:02') };
  const sentence = (...unproven: ReturnType<typeof check>[]) =>
    failureSentence({ ...incident, needsHuman: { unproven } }, clock);
  expect(sentence(check('web'))).toBe(
    'All of its services are healthy. Nothing proves the recovery: the http check of web gives no result.',
  );
  expect(sentence(check('web'), check('web'), check('db', 'tcp'))).toMatch(
    /: the http check of web and tcp check of db give no result\.$/,
  );
});

it('[INC-2.3] a service that left an incident isn’t said to fail', () => {
  const services = [
    service('web', 'down'),
    { ...service('db', 'unknown'), removedAt: at('03:10') },
  ];
  expect(failureSentence({ services, ...ONCE, startedAt: at('03:02') }, clock)).toBe(
    'web is down. It began at 03:02 UTC.',
  );
});

it('[INC-2.1] a service that left without a recovery isn’t said to be healthy', () => {
  const services = [
    service('web', 'healthy'),
    { ...service('db', 'unknown'), removedAt: at('03:10') },
  ];
  const incident = {
    ...{
      services,
      ...ONCE,
      startedAt: at('03:02'),
      verifyingSince: at('03:20'),
      resolvedAt: at('03:30'),
    },
    ...{ resolution: 'recovered' as const },
  };
  expect(resolutionSentence(incident, clock)).toBe(
    'web has been healthy since 03:20 UTC, after 18 min. Nothing checks db anymore, so no recovery is proven there.',
  );
});

it.each([
  [{ number: 4 }, 'Ana merged it into Incident #4: it is the same outage.'],
  [null, 'Ana merged it into another incident: it is the same outage.'],
])('[INC-2.3] an incident that was merged claims no recovery: %j', (mergedInto, sentence) => {
  const incident = {
    ...{ startedAt: at('03:02'), verifyingSince: at('03:20'), resolvedAt: at('03:30') },
    ...{ resolution: 'merged' as const, resolvedBy: 'Ana', mergedIntoId: '4', mergedInto },
    ...{ services: [service('web', 'healthy')], reopenings: 0, lastReopenedAt: null },
  };
  expect(resolutionSentence(incident, clock)).toBe(sentence);
});

it('[INC-2.3] an incident that was reopened doesn’t seem to have lasted all the time', () => {
  const incident = {
    ...{ startedAt: at('03:02'), reopenings: 2, lastReopenedAt: at('03:41') },
    services: [service('web', 'down')],
  };
  expect(failureSentence(incident, clock)).toBe(
    'web is down. It began at 03:02 UTC, and was reopened at 03:41 UTC.',
  );
  const resolved = {
    ...{ ...incident, services: [service('web', 'healthy')], resolution: 'recovered' as const },
    ...{ verifyingSince: at('03:44'), resolvedAt: at('03:54') },
  };
  expect(resolutionSentence(resolved, clock)).toBe(
    'web has been healthy since 03:44 UTC, after 42 min and 2 reopenings.',
  );
});

const signals = (firing: IncidentSignals['firing']): IncidentSignals => ({
  ...{ title: 'Queue\nfull', sources: ['Prometheus'], returns: 0, firing },
  services: [{ serviceId: 'web', name: 'web' }],
});
const ENDED = signals({ serviceIds: [], hasOther: false });

describe('[INC-2.3] sentences about an incident with alerts', () => {
  it.each<[string, AffectedService[], IncidentSignals, string, string]>([
    [
      'for a service',
      [],
      signals({ serviceIds: ['web'], hasOther: false }),
      'web: “Queue full”',
      'An alert fires for web: “Queue full”. It began at 03:02 UTC.',
    ],
    [
      'for none of the project’s',
      [],
      { ...signals({ serviceIds: [], hasOther: true }), services: [] },
      '“Queue full”',
      'An alert fires: “Queue full”. It began at 03:02 UTC.',
    ],
    ['that have ended', [], ENDED, 'web: “Queue full”', 'Its alerts have ended.'],
    [
      'beside a check that fails',
      [service('web', 'down')],
      signals({ serviceIds: ['web'], hasOther: false }),
      'web down',
      'web is down. It began at 03:02 UTC.',
    ],
    [
      'that fires while its checks pass',
      [service('web', 'healthy')],
      signals({ serviceIds: ['web'], hasOther: false }),
      'web down',
      'An alert fires for web: “Queue full”. The incident began at 03:02 UTC.',
    ],
    [
      'after its checks have passed',
      [service('web', 'healthy')],
      ENDED,
      'web down',
      'All of its services are healthy, and its alerts have ended.',
    ],
  ])('%s', (_title, services, given, title, sentence) => {
    expect(incidentTitle({ services, alerts: given })).toBe(title);
    const subject = { services, alerts: given, ...ONCE, startedAt: at('03:02') };
    expect(failureSentence(subject, clock)).toBe(sentence);
  });

  it('that is resolved by the word of its source', () => {
    const incident = {
      ...{
        ...ONCE,
        startedAt: at('03:02'),
        services: [],
        alerts: ENDED,
        resolution: 'reported' as const,
      },
      ...{ verifyingSince: at('03:20'), resolvedAt: at('03:30') },
    };
    expect(resolutionSentence(incident, clock)).toBe(
      'The source reported the end at 03:20 UTC, after 18 min. No check confirms it.',
    );
    expect(resolutionSentence({ ...incident, resolution: 'recovered' }, clock)).toBe(
      'web has been healthy since 03:20 UTC, after 18 min.',
    );
  });

  it('that is being verified, and what it is about', () => {
    const ended = { services: [], alerts: ENDED, source: 'alert' as const };
    expect(verifyingSentence(ended)).toMatch(/^Its alerts have ended\./);
    const healthy = { ...ended, services: [service('web', 'healthy')] };
    expect(verifyingSentence(healthy)).toMatch(/^All of its services are healthy\./);
    expect(verifyingSentence({ ...healthy, source: 'finding' })).toMatch(/^The last chain found/);
    const words = (services: string[], title: string | null) =>
      subjectOf({
        services: services.map((name) => ({ name })),
        alerts: title === null ? null : { title, services: [] },
      }).words;
    expect([words(['web'], 'x'), words([], 'x'), words([], null)]).toEqual(['web', '“x”', '']);
  });
});
