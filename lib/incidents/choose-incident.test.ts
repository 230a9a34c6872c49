import { expect, it } from 'vitest';
import { incidentIn } from '@/tests/support/incidents';
import { chooseIncident } from './choose-incident';
import type { AffectedService, Ending } from './incident';

const now = new Date('2026-11-26T03:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);

type Candidate = Parameters<typeof chooseIncident>[0][number];

const services = (names: string[], changes: Partial<AffectedService> = {}) =>
  names.map(
    (name): AffectedService => ({
      ...{ serviceId: name, name, status: 'down', worst: 'down', failingSince: ago(90_000) },
      ...{ recoveredAt: null, error: '', wasFailing: true, relapses: 0, removedAt: null },
      ...changes,
    }),
  );
const active = (
  id: string,
  seconds: number,
  names: string[],
  lastReopenedAt: Date | null = null,
): Candidate => ({
  ...incidentIn('open', { openedAt: ago(seconds), lastReopenedAt, services: services(names) }),
  id,
});
const ENDINGS = {
  recovered: { resolution: 'recovered' },
  manual: { resolution: 'manual', resolvedBy: 'Ana' },
  merged: { resolution: 'merged', resolvedBy: 'Ana', mergedIntoId: 'other' },
} satisfies Record<string, Ending>;
const over = (
  id: string,
  seconds: number,
  names: string[],
  how: keyof typeof ENDINGS = 'recovered',
  service: Partial<AffectedService> = { wasFailing: false },
): Candidate => ({
  ...incidentIn('resolved', {
    ...{ openedAt: ago(seconds + 600), resolvedAt: ago(seconds), ...ENDINGS[how] },
    services: services(names, service),
  }),
  id,
});
const settings = { groupSeconds: 600, reopenSeconds: 7_200 };

function choiceOf(candidates: readonly Candidate[], failingSeconds: number): string {
  const failure = { serviceId: 'web', status: 'down', failingSince: ago(failingSeconds) } as const;
  const choice = chooseIncident(candidates, failure, now, settings);
  return choice.kind === 'join' ? `join ${choice.id}` : `open after ${choice.earlierId ?? 'none'}`;
}

it.each<[string, Candidate[], string]>([
  ['none before', [], 'open after none'],
  ['its own, however old', [active('a', 40 * 86_400, ['web'])], 'join a'],
  ['another that has just opened', [active('a', 600, ['api'])], 'join a'],
  ['another that opened earlier', [active('a', 601, ['api'])], 'open after none'],
  ['another that was reopened lately', [active('a', 9_000, ['api'], ago(600))], 'join a'],
  ['its own before a newer one', [active('b', 10, ['api']), active('a', 900, ['web'])], 'join a'],
  ['one that was resolved lately', [over('a', 7_200, ['web'])], 'join a'],
  ['one that was resolved long ago', [over('a', 7_201, ['web'])], 'open after a'],
  ['a resolved one of another service', [over('a', 60, ['api'])], 'open after none'],
  ['one that was merged', [over('a', 60, ['web'], 'merged')], 'open after a'],
  ['a new outage before an old one', [active('b', 60, ['api']), over('a', 60, ['web'])], 'join b'],
])('[INC-2.1] %s', (_what, candidates, expected) => {
  expect(choiceOf(candidates, 0)).toBe(expected);
});

it.each<[string, Candidate[], failingSeconds: number, string]>([
  ['the same failure', [over('a', 9_000, ['web'], 'manual', {})], 9_000, 'join a'],
  [
    'the same failure, before another that has just opened',
    [active('b', 60, ['api']), over('a', 9_000, ['web'], 'manual', {})],
    9_000,
    'join a',
  ],
  ['a later failure', [over('a', 9_000, ['web'], 'manual', {})], 8_999, 'open after a'],
  ['a failure after a recovery', [over('a', 9_000, ['web'], 'manual')], 9_000, 'open after a'],
  [
    'a failure that nobody has ended',
    [over('a', 9_000, ['web'], 'recovered', {})],
    9_000,
    'open after a',
  ],
])('[INC-2.1] after a manual resolution: %s', (_what, candidates, seconds, expected) => {
  expect(choiceOf(candidates, seconds)).toBe(expected);
});

it('[INC-2.1] a person who ended a degradation has not ended an outage', () => {
  const ended = over('1', 9_000, ['web'], 'manual', { worst: 'degraded' });
  const failure = { serviceId: 'web', failingSince: ago(90_000) };
  const choice = (status: 'degraded' | 'down') =>
    chooseIncident([ended], { ...failure, status }, now, settings);
  expect(choice('degraded')).toEqual({ kind: 'join', id: '1' });
  expect(choice('down')).toEqual({ kind: 'open', earlierId: '1' });
});
