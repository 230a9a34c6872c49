import { expect, it } from 'vitest';
import { incidentIn } from '@/tests/support/incidents';
import {
  type ChoosingSignal,
  chooseForSignal,
  type SignalCandidate,
  type SignalChoice,
} from './choose-for-signal';
import type { Ending } from './incident';

const NOW = new Date('2026-11-26T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

type Changes = Partial<Pick<SignalCandidate, 'openedAt' | 'serviceIds'>>;
const active = (id: string, changes: Changes = {}, state: 'open' | 'verifying' = 'open') => ({
  ...incidentIn(state, { openedAt: minutesAgo(30) }),
  ...{ id, serviceIds: [], ...changes },
});
const resolved = (
  id: string,
  minutes: number,
  changes: Changes = {},
  ending: Ending = RECOVERED,
) => ({
  ...incidentIn('resolved', {
    openedAt: minutesAgo(30),
    resolvedAt: minutesAgo(minutes),
    ...ending,
  }),
  ...{ id, serviceIds: [], ...changes },
});
const RECOVERED: Ending = { resolution: 'recovered' };
const MANUAL: Ending = { resolution: 'manual', resolvedBy: 'Ana' };
const MERGED: Ending = { resolution: 'merged', resolvedBy: 'Ana', mergedIntoId: 'other' };
const same = (
  incidentId: string,
  changes: Partial<ChoosingSignal['same'][number]> = {},
): ChoosingSignal['same'][number] => {
  return { incidentId, isThisOccurrence: false, isManual: false, ...changes };
};

const opens = (earlierId: string | null = null): SignalChoice => ({ kind: 'open', earlierId });
const joins = (id: string): SignalChoice => ({ kind: 'join', id });
const IGNORED: SignalChoice = { kind: 'ignore' };
const web = { serviceIds: ['web'] };

it.each<[string, Partial<ChoosingSignal>, SignalCandidate[], SignalChoice]>([
  ['without any incident opens one', {}, [], opens()],
  ['joins the active one of its service, however old', {}, [active('a', web)], joins('a')],
  ['joins an active one that is being verified', {}, [active('a', web, 'verifying')], joins('a')],
  [
    'joins the one that has it, not the one of its service',
    { same: [same('b')] },
    [active('a', web), active('b')],
    joins('b'),
  ],
  [
    'joins one that was opened 10 minutes ago',
    {},
    [active('a', { openedAt: minutesAgo(10) })],
    joins('a'),
  ],
  [
    'joins none that was opened before that',
    {},
    [active('a', { openedAt: minutesAgo(10.1) })],
    opens(),
  ],
  [
    'that names no service joins none of a service',
    { serviceId: null },
    [active('a', web)],
    opens(),
  ],
  ['reopens one of its service within the hour', {}, [resolved('a', 60, web)], joins('a')],
  [
    'reopens one that had it, before one of its service',
    { same: [same('b')] },
    [resolved('a', 5, web), resolved('b', 6)],
    joins('b'),
  ],
  ['opens one that links the earlier one after that', {}, [resolved('a', 61, web)], opens('a')],
  ['links an earlier one that was resolved long ago', { same: [same('z')] }, [], opens('z')],
  ['doesn’t reopen a merged one', {}, [resolved('a', 5, web, MERGED)], opens('a')],
  [
    'is ignored if a person has resolved the incident of this occurrence',
    { same: [same('a', { isThisOccurrence: true, isManual: true })] },
    [resolved('a', 5, web, MANUAL)],
    IGNORED,
  ],
  [
    'reopens it with another occurrence',
    { same: [same('a', { isManual: true })] },
    [resolved('a', 5, web, MANUAL)],
    joins('a'),
  ],
  [
    'reopens it if it had ended since, and fires again with its old start',
    {
      isReopened: true,
      same: [same('a', { isThisOccurrence: true, isManual: true })],
    },
    [resolved('a', 5, web, MANUAL)],
    joins('a'),
  ],
  ['that informs opens nothing', { severity: 'info' }, [], IGNORED],
  ['that informs reopens nothing', { severity: 'info' }, [resolved('a', 5, web)], IGNORED],
  ['that informs joins no group', { severity: 'info' }, [active('a', { openedAt: NOW })], IGNORED],
  [
    'that informs joins the active one of its service',
    { severity: 'info' },
    [active('a', web)],
    joins('a'),
  ],
])('[INC-1.3] an alert %s', (_title, signal, candidates, choice) => {
  const choosing: ChoosingSignal = {
    ...{ serviceId: 'web', severity: 'warning', isReopened: false, same: [] },
    ...signal,
  };
  const settings = { groupSeconds: 600, reopenSeconds: 3_600 };
  expect(chooseForSignal(candidates, choosing, NOW, settings)).toEqual(choice);
});
