import { expect, it } from 'vitest';
import { type Facts, incidentIn } from '@/tests/support/incidents';
import type { Incident } from './incident';
import { dueEvent } from './sweep';
import { recheckMsOf, verifyMsOf } from './verification';

const now = new Date('2026-11-26T03:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const ack = (endsAt: Date | null) => ({ at: ago(900), by: 'Ana', endsAt });
const silence = (endsAt: Date | null) => ({ by: 'Ana', endsAt });

it.each<[string, Facts & { state?: Incident['state'] }, string | null]>([
  ['nothing', {}, null],
  ['well for the whole window', { state: 'verifying', verifyingSince: ago(600) }, 'verified'],
  ['well for less', { state: 'verifying', verifyingSince: ago(599) }, null],
  ['a human is due', { humanDueAt: ago(0) }, 'needs_human'],
  ['a human is due later', { humanDueAt: ago(-1) }, null],
  [
    'an acknowledgement ends',
    { state: 'acknowledged', acknowledgement: ack(ago(0)) },
    'acknowledgement_ended',
  ],
  ['one without an end', { state: 'acknowledged', acknowledgement: ack(null) }, null],
  ['a silence ends', { silence: silence(ago(0)) }, 'silence_ended'],
  ['a silence ends later', { silence: silence(ago(-1)) }, null],
  ['a silence until it is resolved', { silence: silence(null) }, null],
  [
    'a silence ends during the verification',
    { state: 'verifying', verifyingSince: ago(1), silence: silence(ago(0)) },
    'silence_ended',
  ],
  ['a resolved one', { state: 'resolved' }, null],
])('[INC-2.1] what is due: %s', (_what, { state = 'open', ...changes }, kind) => {
  const incident = incidentIn(state, changes as Partial<Incident>);
  expect(dueEvent(incident, 600_000, now)?.kind ?? null).toBe(kind);
});

it.each([
  [0, 600_000],
  [2, 600_000],
  [3, 1_200_000],
])('[INC-2.1] an incident that was reopened %i times is verified for %i ms', (reopenings, ms) => {
  expect(verifyMsOf({ reopenings }, { verifySeconds: 600 })).toBe(ms);
});

it.each([
  [null, 2, 120_000],
  [30, 2, 120_000],
  [60, 2, 180_000],
  [3_600, 1, 7_200_000],
])(
  '[INC-3.1] checks every %s s, failing after %i results, notice a fix within %i ms',
  (every, failures, ms) => {
    expect(recheckMsOf(every, failures)).toBe(ms);
  },
);
