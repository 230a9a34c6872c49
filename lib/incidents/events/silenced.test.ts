import { expect, it } from 'vitest';
import { factsOf } from '../incident';
import type { IncidentNotice } from '../states';
import { applyEvent, type EventOf, type IncidentEvent } from './registry';
import { openByFailure } from './service-failing';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 26, 3, minute));

const fails = (status: 'degraded' | 'down'): EventOf<'service_failing'> => ({
  ...{ kind: 'service_failing', serviceId: 'web', name: 'web', status, error: '' },
  failingSince: at(2).toISOString(),
});
const silences = (endsAt: Date | null, by = 'Ana'): IncidentEvent => {
  return { kind: 'silenced', by, endsAt: endsAt?.toISOString() ?? null, note: '' };
};
const silence = silences(at(59));
const ends: IncidentEvent = { kind: 'silence_ended', by: null };
const ack: IncidentEvent = { kind: 'acknowledged', by: 'Ben', endsAt: null, note: '' };
const needs: IncidentEvent = { kind: 'needs_human' };
const recovers: IncidentEvent = { kind: 'service_recovered', serviceId: 'web' };
const resolves: IncidentEvent = { kind: 'resolved', by: 'Ana', note: '' };
const started: IncidentEvent = { kind: 'chain_started', chainId: 'chain' };

/**
 * What people are notified of after it was opened: nothing in brackets, which is what other systems learn of
 * while it is silenced.
 */
function heard(...events: IncidentEvent[]): string {
  let { incident } = openByFailure('check', fails('degraded'), at(2));
  const all: string[] = [];
  for (const [index, event] of events.entries()) {
    const applied = applyEvent(incident, event, at(3 + index));
    incident = applied.incident;
    const mark = (notice: IncidentNotice) => (factsOf(incident).silence ? `(${notice})` : notice);
    all.push(...applied.notices.map(mark));
  }
  return all.join(' ');
}

it.each<[string, IncidentEvent[], string]>([
  ['stops messages that people are needed', [silence, needs], '(needs_human)'],
  [
    'that ends reminds of a human who is needed, once',
    [needs, silence, ends, ends],
    'needs_human needs_human',
  ],
  ['that ends says what it has kept back', [silence, needs, ends], '(needs_human) needs_human'],
  ['that ends says nothing if nobody is needed', [silence, ends], ''],
  [
    'that ends says nothing if a person is at work',
    [needs, silence, ack, ends],
    'needs_human (acknowledged)',
  ],
  [
    'that ends says nothing during the verification',
    [silence, needs, recovers, ends],
    '(needs_human) (verifying)',
  ],
  ['stays through a worse failure', [silence, fails('down'), needs], '(needs_human)'],
  [
    'stays through a relapse',
    [silence, recovers, fails('down'), recovers, fails('down')],
    '(verifying) (verification_failed) (verifying) (needs_human) (verification_failed)',
  ],
  [
    'ends with the incident, of which people are notified',
    [silences(null), needs, resolves],
    '(needs_human) resolved',
  ],
  [
    'doesn’t last into a reopened incident',
    [silence, recovers, { kind: 'verified' }, fails('down')],
    '(verifying) resolved reopened',
  ],
])('[INC-2.2] a silence %s', (_, events, expected) => {
  expect(heard(...events)).toBe(expected);
});

it('[INC-2.2] a silence leaves everything else as it is: the agent looks, and nobody is said to work on it', () => {
  const { incident: before } = openByFailure('check', fails('down'), at(2));
  const { incident: after } = applyEvent(before, silences(at(40)), at(3));
  expect(after).toEqual({ ...before, silence: { by: 'Ana', endsAt: at(40) } });
  const again = applyEvent(after, silences(null, 'Ben'), at(4)).incident;
  expect(factsOf(again).silence).toEqual({ by: 'Ben', endsAt: null });
  const chain = applyEvent(again, started, at(5)).incident;
  expect(chain).toMatchObject({ lookDueAt: null, silence: { by: 'Ben' } });
});

it('[INC-2.2] an incident that is over can’t be silenced', () => {
  const { incident: open } = openByFailure('check', fails('down'), at(2));
  const { incident: over } = applyEvent(open, resolves, at(3));
  expect(applyEvent(over, silence, at(4))).toEqual({ incident: over, notices: [] });
});
