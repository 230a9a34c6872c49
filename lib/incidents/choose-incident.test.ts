import { expect, it } from 'vitest';
import { chooseIncident, type IncidentCandidate } from './choose-incident';

const now = new Date('2026-11-26T03:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);

const active = (id: string, seconds: number, serviceIds: string[]): IncidentCandidate => ({
  ...{ id, state: 'open', startedAt: ago(seconds), serviceIds },
  ...{ resolvedAt: null, resolution: null },
});
const over = (
  id: string,
  seconds: number,
  serviceIds: string[],
  resolution: IncidentCandidate['resolution'] = 'recovered',
): IncidentCandidate => ({
  ...{ id, state: 'resolved', startedAt: ago(seconds + 600), serviceIds },
  ...{ resolvedAt: ago(seconds), resolution },
});
const settings = { groupSeconds: 600, reopenSeconds: 7_200 };

it.each<[string, IncidentCandidate[], string]>([
  ['none before', [], 'open after none'],
  ['its own, however old', [active('a', 40 * 86_400, ['web'])], 'join a'],
  ['another that has just begun', [active('a', 600, ['api'])], 'join a'],
  ['another that began earlier', [active('a', 601, ['api'])], 'open after none'],
  ['its own before a newer one', [active('b', 10, ['api']), active('a', 900, ['web'])], 'join a'],
  ['one that was resolved lately', [over('a', 7_200, ['web'])], 'join a'],
  ['one that was resolved long ago', [over('a', 7_201, ['web'])], 'open after a'],
  ['a resolved one of another service', [over('a', 60, ['api'])], 'open after none'],
  ['one that was merged', [over('a', 60, ['web'], 'merged')], 'open after a'],
  ['a new outage before an old one', [active('b', 60, ['api']), over('a', 60, ['web'])], 'join b'],
])('[INC-2.1] %s', (_what, candidates, expected) => {
  const choice = chooseIncident(candidates, 'web', now, settings);
  const said =
    choice.kind === 'join' ? `join ${choice.id}` : `open after ${choice.earlierId ?? 'none'}`;
  expect(said).toBe(expected);
});
