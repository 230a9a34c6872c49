import { expect, it } from 'vitest';
import { incidentIn } from '@/tests/support/incidents';
import { dependOnMuting, type HeldNotice, sortNotices } from './held-notices';
import type { Incident } from './incident';
import type { IncidentNotice } from './states';

const now = new Date('2026-11-26T03:00:00Z');
const needsHuman = { since: now, chainId: null, unproven: null };
const open = incidentIn('open');
const needing = incidentIn('open', { needsHuman });
const acknowledged = incidentIn('acknowledged', { needsHuman });
const verifying = incidentIn('verifying');
const resolved = incidentIn('resolved');

it.each<
  [string, HeldNotice[], Incident, IncidentNotice[], boolean, IncidentNotice[], HeldNotice[]]
>([
  ['a need', [], needing, ['needs_human'], false, ['needs_human'], []],
  ['a need while it is muted', [], needing, ['needs_human'], true, [], ['needs_human']],
  ['a need that has waited', ['needs_human'], needing, [], false, ['needs_human'], []],
  ['a need that still waits', ['needs_human'], needing, [], true, [], ['needs_human']],
  ['a need that nobody has by now', ['needs_human'], open, [], false, [], []],
  [
    'a need that a person has taken over',
    ['needs_human'],
    acknowledged,
    ['acknowledged'],
    true,
    ['acknowledged'],
    [],
  ],
  [
    'a need before the recovery',
    ['needs_human'],
    verifying,
    ['verifying'],
    true,
    ['verifying'],
    [],
  ],
  [
    'a relapse and a need, once',
    ['needs_human', 'verification_failed'],
    needing,
    ['needs_human'],
    false,
    ['needs_human', 'verification_failed'],
    [],
  ],
  [
    'a relapse between two recoveries, which nobody has learned of',
    ['verification_failed'],
    verifying,
    ['verifying'],
    false,
    [],
    [],
  ],
  [
    'a relapse that is over',
    ['verification_failed'],
    resolved,
    ['resolved'],
    true,
    ['resolved'],
    [],
  ],
  ['what isn’t muted', [], open, ['acknowledged'], true, ['acknowledged'], []],
])(
  '[INC-2.2] what people are notified of: %s',
  (_what, held, incident, notices, isMuted, due, after) => {
    expect(sortNotices(held, incident, notices, isMuted)).toEqual({ due, held: after });
  },
);

it.each<[HeldNotice[], IncidentNotice[], boolean]>([
  [[], [], false],
  [[], ['opened', 'verifying', 'resolved', 'acknowledged'], false],
  [[], ['reopened'], true],
  [[], ['needs_human'], true],
  [['needs_human'], [], true],
])('[INC-2.2] with %j waiting, whether %j depends on muting: %s', (held, notices, depends) => {
  expect(dependOnMuting(held, notices)).toBe(depends);
});
