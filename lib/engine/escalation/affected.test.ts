import { describe, expect, it } from 'vitest';
import type { TierReport } from '@/lib/protocol/report';
import {
  affectedServices,
  type CheckFact,
  latestChecks,
  reportedUnhealthy,
  unhealthyServices,
  unique,
} from './affected';

function check(service: string, status: CheckFact['status'], target = 'a:1'): CheckFact {
  return { service, type: 'tcp', target, status, error: '', responseTimeMs: 1 };
}

function report(
  services: readonly (readonly [string, TierReport['services_checked'][number]['status']])[],
  requested: string[] = [],
): TierReport {
  return {
    summary: '',
    services_checked: services.map(([name, status]) => ({ name, status, detail: '' })),
    findings: [],
    escalation: { wanted: requested.length > 0, reason: '', services: requested },
    actions_taken: [],
  };
}

describe('latestChecks', () => {
  it('keeps the newest result of each check, in the order in which they first ran', () => {
    const later = check('web', 'healthy');
    const db = check('db', 'down');
    expect(latestChecks([check('web', 'down'), db, later])).toEqual([later, db]);
  });

  it.each([
    ['service', { service: 'db' }],
    ['type', { type: 'http' }],
    ['target', { target: 'b:1' }],
  ] as const)('another %s is another check', (_title, other) => {
    const first = check('web', 'down');
    expect(latestChecks([first, { ...first, ...other }])).toHaveLength(2);
  });

  it('tells checks apart whose parts run together to the same text', () => {
    const first = { ...check('a', 'down'), target: 'b,c' };
    expect(latestChecks([first, { ...first, service: 'a,tcp', type: 'http' }])).toHaveLength(2);
  });
});

describe('unhealthyServices', () => {
  it.each([
    ['nothing ran', [], []],
    ['down', [check('web', 'down')], ['web']],
    ['degraded', [check('web', 'degraded')], ['web']],
    ['healthy since', [check('web', 'down'), check('web', 'healthy')], []],
    ['down again', [check('web', 'healthy'), check('web', 'down')], ['web']],
    ['one of two checks', [check('web', 'down', 'a:1'), check('web', 'healthy', 'b:2')], ['web']],
    [
      'both checks, named once',
      [check('web', 'down', 'a:1'), check('web', 'down', 'b:2')],
      ['web'],
    ],
  ])('%s', (_title, checks, services) => {
    expect(unhealthyServices(checks)).toEqual(services);
  });
});

describe('reportedUnhealthy', () => {
  it.each([
    ['down', ['web']],
    ['degraded', ['web']],
    ['healthy', []],
    ['unknown', []],
  ] as const)('a service that the report calls %s', (status, services) => {
    expect(reportedUnhealthy(report([['web', status]]))).toEqual(services);
  });

  it('is nothing without a report', () => {
    expect(reportedUnhealthy(null)).toEqual([]);
  });
});

describe('affectedServices', () => {
  const down = report([['mail', 'down']]);
  it.each([
    ['the file', { report: down, fileServices: ['db'], checks: [] }, ['db']],
    [
      'the request',
      { report: report([['mail', 'down']], ['api']), fileServices: [], checks: [] },
      ['api'],
    ],
    [
      'what was measured',
      { report: down, fileServices: [], checks: [check('web', 'down')] },
      ['web'],
    ],
    [
      'all three in this order, each once',
      {
        report: report([], ['api', 'web']),
        fileServices: ['db', 'api'],
        checks: [check('web', 'down'), check('db', 'down')],
      },
      ['db', 'api', 'web'],
    ],
    [
      'what was reported, where nothing else names any',
      { report: down, fileServices: [], checks: [check('web', 'healthy')] },
      ['mail'],
    ],
    ['nothing', { report: null, fileServices: [], checks: [] }, []],
  ])('%s', (_title, input, services) => {
    expect(affectedServices(input)).toEqual(services);
  });
});

it('unique keeps the first of each name', () => {
  expect(unique(['b', 'a', 'b'])).toEqual(['b', 'a']);
});
