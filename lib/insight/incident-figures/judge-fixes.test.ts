import { describe, expect, it } from 'vitest';
import type { FigureEvent, IncidentFacts } from './facts';
import { failuresOf, hasRecurred, judgeFixes } from './judge-fixes';

const at = (clock: string, day = 25) => new Date(`2026-11-${day}T${clock}:00Z`);
const NOW = at('12:00', 28);

const fails = (clock: string, since = clock, serviceId = 'web', day = 25): FigureEvent => ({
  ...{ kind: 'service_failing', serviceId, at: at(clock, day) },
  failingSince: at(since, day).toISOString(),
});
const ended = (clock: string, chainId: string, outcome: string): FigureEvent => ({
  ...{ kind: 'chain_ended', chainId, outcome, at: at(clock) },
});
const started = (clock: string, chainId: string): FigureEvent => ({
  ...{ kind: 'chain_started', chainId, at: at(clock) },
});
const well = (clock: string, serviceId = 'web'): FigureEvent => ({
  ...{ kind: 'service_recovered', serviceId, at: at(clock) },
});
const plain = (kind: string, clock: string): FigureEvent => ({ kind, at: at(clock) });

function incident(events: FigureEvent[], changes: Partial<IncidentFacts> = {}): IncidentFacts {
  return {
    ...{ id: 'one', state: 'resolved', resolution: 'fixed', startedAt: at('03:00') },
    ...{ openedAt: at('03:02'), verifyingSince: null, resolvedAt: null, earlierId: null },
    fixChainId: 'a',
    services: [{ serviceId: 'web', name: 'web' }],
    chainIds: ['a'],
    events,
    ...changes,
  };
}

const OUTAGE = [fails('03:02', '03:00'), started('03:02', 'a'), ended('03:05', 'a', 'fixed')];
const PROVEN = [...OUTAGE, well('03:06'), plain('verified', '03:16')];

const verdictsOf = (events: FigureEvent[], changes: Partial<IncidentFacts> = {}, now = NOW) => {
  const one = incident(events, changes);
  return judgeFixes(one, failuresOf([one]), now).map(({ verdict }) => verdict);
};

describe('[INC-3.2] a reported fix is judged by the checks', () => {
  it.each<[string, FigureEvent[], Partial<IncidentFacts>, string[]]>([
    ['the checks passed for the whole window', PROVEN, {}, ['proven']],
    ['no chain reported a fix', [...OUTAGE.slice(0, 2), ended('03:05', 'a', 'failed')], {}, []],
    ['still verifying', [...OUTAGE, well('03:06')], { state: 'verifying' }, ['pending']],
    ['still failing', OUTAGE, { state: 'open' }, ['pending']],
    [
      'failed during the verification',
      [...OUTAGE, well('03:06'), fails('03:10'), well('03:20'), plain('verified', '03:30')],
      {},
      ['failed'],
    ],
    [
      'kept failing until it needed a human',
      [...OUTAGE, plain('needs_human', '03:08'), well('06:00'), plain('verified', '06:10')],
      { fixChainId: null, resolution: 'recovered' },
      ['failed'],
    ],
    [
      'kept failing until another chain fixed it',
      [
        ...OUTAGE,
        started('03:09', 'b'),
        ended('03:12', 'b', 'fixed'),
        well('03:13'),
        plain('verified', '03:23'),
      ],
      { fixChainId: 'b' },
      ['failed', 'proven'],
    ],
    [
      'a failure that began before the fix is noticed after it',
      [...OUTAGE, fails('03:06', '03:01'), well('03:07'), plain('verified', '03:17')],
      {},
      ['proven'],
    ],
    [
      'still failing, in another way, until the fix takes effect',
      [...OUTAGE, fails('03:06'), well('03:07'), plain('verified', '03:17')],
      {},
      ['proven'],
    ],
    [
      'a person resolved it first',
      [...OUTAGE, well('03:06'), plain('resolved', '03:10')],
      { resolution: 'manual' },
      ['unproven'],
    ],
    [
      'the incident credits another cause',
      PROVEN,
      { fixChainId: null, resolution: 'recovered' },
      ['unproven'],
    ],
    ['reopened within a day', [...PROVEN, fails('03:50')], { state: 'open' }, ['recurred']],
    [
      'reopened a day later at the same minute',
      [...PROVEN, fails('03:06', '03:06', 'web', 26)],
      { state: 'open' },
      ['recurred'],
    ],
    [
      'failed again more than a day later',
      [...PROVEN, fails('03:07', '03:07', 'web', 26)],
      { state: 'open', fixChainId: null },
      ['proven'],
    ],
  ])('%s', (_, events, changes, verdicts) => {
    expect(verdictsOf(events, changes)).toEqual(verdicts);
  });

  it('counts a new incident of the same service against it, and one of another service not', () => {
    const first = incident(PROVEN);
    const same = incident([fails('20:00')], { id: 'two', earlierId: 'one' });
    const other = incident([fails('20:00', '20:00', 'db')], { id: 'three' });
    const judge = (later: IncidentFacts) => judgeFixes(first, failuresOf([first, later]), NOW);
    expect(judge(same)).toMatchObject([{ verdict: 'recurred' }]);
    expect(judge(other)).toMatchObject([{ verdict: 'proven' }]);
  });

  it('says whether the day is over in which it may come back', () => {
    const one = incident(PROVEN);
    const judge = (now: Date) => judgeFixes(one, failuresOf([one]), now)[0];
    expect(judge(at('12:00'))).toMatchObject({ verdict: 'proven', isProvisional: true });
    expect(judge(NOW)).toMatchObject({ verdict: 'proven', isProvisional: false });
  });

  it('ignores failures of before the recovery', () => {
    const failures = failuresOf([incident([fails('03:02', '03:00')])]);
    const { services } = incident([]);
    expect(hasRecurred({ services }, at('03:00'), failures)).toBe(false);
    expect(hasRecurred({ services }, at('02:59'), failures)).toBe(true);
  });
});
