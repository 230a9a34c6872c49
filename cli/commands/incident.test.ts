import { describe, expect, it } from 'vitest';
import type { IncidentDetail } from '@/lib/incidents/view';
import { CommandError } from '../exit-code';
import { endOf, incidentLine, incidentText } from './incident';

const INCIDENT: IncidentDetail = {
  id: 'inc_3',
  number: 3,
  project: { id: 'prj_1', slug: 'checkout', name: 'Checkout' },
  state: 'open',
  severity: 'critical',
  source: 'check',
  title: 'web down',
  summary: 'web is down.',
  alerts: null,
  services: [
    {
      name: 'web',
      status: 'down',
      worst: 'down',
      failingSince: '2026-11-21T14:27:00.000Z',
      recoveredAt: null,
      error: 'Connection refused.',
      removedAt: null,
    },
  ],
  startedAt: '2026-11-21T14:27:00.000Z',
  openedAt: '2026-11-21T14:28:00.000Z',
  acknowledgedAt: null,
  acknowledgedBy: null,
  acknowledgementEndsAt: null,
  silencedBy: null,
  silencedUntil: null,
  verifyingSince: null,
  resolvedAt: null,
  resolution: null,
  resolvedBy: null,
  reopenings: 0,
  needsHumanSince: '2026-11-21T14:40:00.000Z',
  chains: [{ id: 'chn_12', number: 12, outcome: 'needs_human', highestTier: 2 }],
  costUsd: 0.5,
  earlier: null,
  mergedInto: null,
  mergedFrom: [],
  earlierEvents: 0,
  earlierUntil: null,
  laterUntil: null,
  timeline: [
    {
      sequence: 1,
      at: '2026-11-21T14:28:00.000Z',
      kind: 'service_failing',
      text: 'web is down. Connection refused.',
      chainNumber: null,
      evidence: {
        kind: 'check_results',
        label: 'Checks of web',
        path: '/acme/projects/checkout/services/web',
      },
    },
  ],
};

describe('[INC-2.1] one line of a list', () => {
  it.each<[Partial<IncidentDetail>, string]>([
    [{}, 'inc_3  open          checkout #3  web down  needs a human'],
    [{ needsHumanSince: null }, 'inc_3  open          checkout #3  web down'],
    [{ silencedBy: 'Ana' }, 'inc_3  open          checkout #3  web down  needs a human  silenced'],
    [
      { state: 'resolved', resolution: 'merged', mergedInto: { id: 'inc_2', number: 2 } },
      'inc_3  resolved      checkout #3  web down  merged into #2',
    ],
    [{ state: 'acknowledged' }, 'inc_3  acknowledged  checkout #3  web down'],
    [{ state: 'resolved', title: 'a\nb' }, 'inc_3  resolved      checkout #3  a b'],
    [{ state: 'verifying', title: '\u001b[2Jx' }, 'inc_3  verifying     checkout #3  ␛[2Jx'],
  ])('%o', (changes, line) => {
    expect(incidentLine({ ...INCIDENT, ...changes })).toBe(line);
  });
});

it('[INC-2.1] says how to see the events before those of the timeline', () => {
  const text = incidentText({ ...INCIDENT, earlierEvents: 9_500, earlierUntil: 9_500 });
  expect(text).toContain('\n  9,500 earlier events: --until 9500\n  2026-11-21T14:28:00.000Z  web');
});

it('[INC-2.1] everything about an incident, and nothing that looks like another line', () => {
  expect(incidentText(INCIDENT).split('\n')).toEqual([
    'Incident #3 of Checkout: web down',
    'web is down.',
    '  Id:            inc_3',
    '  State:         open, needs a human',
    '  Severity:      critical',
    '  Since:         2026-11-21T14:27:00.000Z',
    '  Service:       web is down: Connection refused.',
    '  Chain:         #12 (chn_12), needs_human',
    '  Cost:          $0.50',
    '  2026-11-21T14:28:00.000Z  web is down. Connection refused.',
  ]);
  const [service] = INCIDENT.services;
  if (!service) throw new Error('It has a service.');
  const forged = { ...service, error: 'x\n  State:         resolved\u001b[0m' };
  const lines = incidentText({ ...INCIDENT, services: [forged] }).split('\n');
  expect(lines.filter((line) => line.startsWith('  State:'))).toHaveLength(1);
  expect(lines.join()).not.toContain('\u001b');
});

it('[INC-2.1] who silenced it, and which incidents are the same outage', () => {
  const silenced = incidentText({ ...INCIDENT, silencedBy: 'Ana', silencedUntil: null });
  expect(silenced).toContain('  Silenced:      by Ana, until it is resolved');
  const [into, from] = [
    { id: 'inc_2', number: 2 },
    { id: 'inc_1', number: 1 },
  ];
  const merged = incidentText({ ...INCIDENT, mergedInto: into, mergedFrom: [from] });
  expect(merged).toContain('  Merged into:   #2 (inc_2)');
  expect(merged).toContain('  Includes:      #1 (inc_1)');
});

it('[INC-2.1] who acknowledged it and how it ended', () => {
  const acknowledged = incidentText({
    ...INCIDENT,
    state: 'acknowledged',
    acknowledgedBy: 'Ana',
    acknowledgedAt: '2026-11-21T14:41:00.000Z',
    acknowledgementEndsAt: '2026-11-21T16:41:00.000Z',
  });
  expect(acknowledged).toContain(
    '  Acknowledged:  by Ana at 2026-11-21T14:41:00.000Z, until 2026-11-21T16:41:00.000Z',
  );
  const resolved = incidentText({
    ...INCIDENT,
    state: 'resolved',
    resolution: 'manual',
    resolvedBy: 'Ana',
    resolvedAt: '2026-11-21T15:00:00.000Z',
  });
  expect(resolved).toContain('  Resolved:      at 2026-11-21T15:00:00.000Z, manual by Ana');
  expect(incidentText({ ...INCIDENT, reopenings: 1 })).toContain('  Reopened:      1 time\n');
});

describe('[INC-2.1] the end of an acknowledgement or a silence', () => {
  const now = new Date('2026-11-21T14:00:00Z');
  it.each([
    [undefined, null],
    ['90m', '2026-11-21T15:30:00.000Z'],
    ['2h', '2026-11-21T16:00:00.000Z'],
  ])('%s', (length, end) => {
    expect(endOf('silence', length, now)).toBe(end);
  });

  it.each(['soon', '-1h', '', '0s'])('refuses “%s” and says what to use', (length) => {
    expect(() => endOf('silence', length, now)).toThrow(CommandError);
    expect(() => endOf('silence', length, now)).toThrow('such as 90m or 2h');
  });
});
