import { expect, it } from 'vitest';
import { type Facts, incidentIn } from '@/tests/support/incidents';
import { dueAtOf, nextTryAt } from './due';
import type { Incident } from './incident';

const now = new Date('2026-11-26T03:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
type Waiting = Parameters<typeof dueAtOf>[0];

const ack = (endsAt: Date | null) => ({ at: ago(900), by: 'Ana', endsAt });
const silence = (endsAt: Date | null) => ({ by: 'Ana', endsAt });
const secondsUntil = (at: Date | null) => at && (at.getTime() - now.getTime()) / 1_000;

type Changes = Facts & Partial<Pick<Waiting, 'state' | 'announcedAt' | 'heldNotices'>>;

function waiting({ state = 'open', ...changes }: Changes): Waiting {
  const incident = incidentIn(state, { openedAt: ago(9_000), ...changes } as Partial<Incident>);
  return { announcedAt: ago(9_000), heldNotices: [], ...incident };
}

it.each<[string, Changes, due: number | null, afterTry: number | null]>([
  ['nothing', {}, null, null],
  ['a look', { lookDueAt: ago(20) }, -20, 20],
  ['a look that was just due', { lookDueAt: ago(0) }, 0, 5],
  ['a look that waits for hours', { lookDueAt: ago(9_000) }, -9_000, 60],
  ['a person, before that look', { lookDueAt: ago(9_000), humanDueAt: ago(-3) }, -9_000, 3],
  ['the end of a verification', { state: 'verifying', verifyingSince: ago(60) }, 540, 540],
  ['the end of a silence', { silence: silence(ago(-300)) }, 300, 300],
  [
    'the end of a silence before that of a verification',
    { state: 'verifying', verifyingSince: ago(60), silence: silence(ago(-300)) },
    300,
    300,
  ],
  ['no announcement during a silence', { announcedAt: null, silence: silence(null) }, null, null],
  ['the first result after it', { state: 'verifying', verifyingSince: ago(610) }, -10, 10],
  [
    'the end of an acknowledgement',
    { state: 'acknowledged', acknowledgement: ack(ago(-300)) },
    300,
    300,
  ],
  [
    'an acknowledgement without an end',
    { state: 'acknowledged', acknowledgement: ack(null) },
    null,
    null,
  ],
  ['an announcement', { announcedAt: null }, -9_000, 60],
  ['a notice that waits', { heldNotices: ['needs_human'] }, -9_000, 60],
  [
    'checks that gave no proof',
    { needsHuman: { since: ago(20), chainId: null, unproven: [] } },
    -9_000,
    60,
  ],
  ['an announcement of a reopening', { announcedAt: null, lastReopenedAt: ago(7) }, -7, 7],
  [
    'nothing to announce while it is verified',
    { state: 'verifying', verifyingSince: ago(60), announcedAt: null },
    540,
    540,
  ],
  ['a resolved one', { state: 'resolved', announcedAt: null }, null, null],
])('[INC-2.1] due next: %s', (_what, changes, due, afterTry) => {
  const incident = waiting(changes);
  expect(secondsUntil(dueAtOf(incident, 600_000))).toBe(due);
  expect(secondsUntil(nextTryAt(incident, 600_000, now))).toBe(afterTry);
});
