import { describe, expect, it } from 'vitest';
import type { CooldownRule } from '@/lib/projects/schema';
import {
  type CooldownFact,
  cooldownSentence,
  cooldownState,
  cooldownStateForHandoff,
  exhaustedPairs,
  passedByOwnAction,
  type SeenPair,
} from './state';

const now = new Date('2026-11-21T14:00:00Z');
const rules: CooldownRule[] = [
  { action: 'restart', limit: 2, windowSeconds: 14_400 },
  { action: 'redeploy', limit: 1, windowSeconds: 86_400 },
];

function at(time: string, service = 'web', action: 'restart' | 'redeploy' = 'restart') {
  return { service, action, at: new Date(`2026-11-21T${time}:00Z`) };
}

describe('cooldownState', () => {
  function restarts(times: string[], rule = rules[0], when = now) {
    const state = cooldownState(
      rule ? [rule] : [],
      times.map((time) => at(time)),
      ['web'],
      when,
    );
    return state.map(({ used, nextAllowedAt }) => [used, nextAllowedAt?.toISOString() ?? null]);
  }

  it.each<[string, string[], [number, string | null]]>([
    ['no use', [], [0, null]],
    ['one left', ['12:40'], [1, null]],
    [
      'used up until the oldest leaves the window',
      ['13:00', '12:40'],
      [2, '2026-11-21T16:40:00.000Z'],
    ],
    [
      'passed: until enough have left',
      ['12:40', '12:50', '13:00'],
      [3, '2026-11-21T16:50:00.000Z'],
    ],
    ['older ones do not count', ['09:59', '10:00', '12:40'], [1, null]],
  ])('%s', (_title, times, expected) => {
    expect(restarts(times)).toEqual([expected]);
  });

  it('is allowed again at the moment it names', () => {
    const then = new Date('2026-11-21T16:40:00Z');
    expect(restarts(['12:40', '13:00'], rules[0], then)).toEqual([[1, null]]);
  });

  it('a limit of 0 is always exhausted and never ends', () => {
    const never: CooldownRule = { action: 'restart', limit: 0, windowSeconds: 60 };
    const state = cooldownState([never], [], ['web'], now);
    expect(state).toMatchObject([{ used: 0, limit: 0, nextAllowedAt: null }]);
    expect(exhaustedPairs(state)).toEqual([{ service: 'web', action: 'restart' }]);
    expect(cooldownState([never], [at('13:59')], ['web'], now)).toMatchObject([
      { used: 0, nextAllowedAt: null },
    ]);
    expect(
      cooldownState([{ ...never, windowSeconds: 120 }], [at('13:59')], ['web'], now),
    ).toMatchObject([{ used: 1, nextAllowedAt: null }]);
  });

  it('counts each service and action apart', () => {
    const actions = [at('13:00'), at('13:10'), at('13:20', 'api'), at('13:30', 'web', 'redeploy')];
    const state = cooldownState(rules, actions, ['web', 'api'], now);
    expect(exhaustedPairs(state)).toEqual([
      { service: 'web', action: 'restart' },
      { service: 'web', action: 'redeploy' },
    ]);
    expect(cooldownStateForHandoff(state)).toMatchObject({
      web: { restart: { used: 2, limit: 2, window_seconds: 14_400 } },
      api: { restart: { used: 1, next_allowed_at: null }, redeploy: { used: 0 } },
    });
  });
});

const NOON = new Date('2026-11-21T12:00:00Z');
const TWICE_AN_HOUR = [{ action: 'restart' as const, limit: 2, windowSeconds: 3_600 }];
const BOTH = ['web', 'db'];

function restart(sessionId: string, minutesAgo: number, service = 'web'): SeenPair {
  const at = new Date(NOON.getTime() - minutesAgo * 60_000);
  return { service, action: 'restart', at, sessionId, evidence: `${sessionId}-${minutesAgo}` };
}

describe('passedByOwnAction', () => {
  it.each([
    ['at the limit', [restart('own', 2), restart('own', 1)], null],
    ['one above it', [restart('own', 3), restart('own', 2), restart('own', 1)], 'web'],
    [
      'above it together with others',
      [restart('other', 30), restart('other', 20), restart('own', 1)],
      'web',
    ],
    [
      'above it by others alone',
      [restart('other', 30), restart('other', 20), restart('other', 10)],
      null,
    ],
    [
      'others above it, own on another service',
      [restart('other', 30), restart('other', 20), restart('other', 10), restart('own', 1, 'db')],
      null,
    ],
    [
      'others above it, own of another action',
      [
        restart('other', 30),
        restart('other', 20),
        restart('other', 10),
        { ...restart('own', 1), action: 'redeploy' as const },
      ],
      null,
    ],
    [
      'with one out of the window',
      [restart('own', 90), restart('own', 2), restart('own', 1)],
      null,
    ],
  ])('%s', (_name, actions, service) => {
    expect(passedByOwnAction('own', TWICE_AN_HOUR, actions, BOTH, NOON)?.service ?? null).toBe(
      service,
    );
  });
});

describe('cooldownSentence', () => {
  const exhausted: CooldownFact = {
    service: 'payments-db',
    action: 'restart',
    used: 2,
    limit: 2,
    windowSeconds: 14_400,
    nextAllowedAt: new Date('2026-11-21T16:40:30Z'),
  };

  it.each<[Partial<CooldownFact>, string]>([
    [
      {},
      'payments-db was restarted twice in the last 4h. The next restart is allowed at 16:40 UTC.',
    ],
    [
      { action: 'redeploy', used: 1, limit: 1 },
      'payments-db was redeployed once in the last 4h. The next redeploy is allowed at 16:40 UTC.',
    ],
    [{ used: 3, nextAllowedAt: null }, 'payments-db was restarted 3 times in the last 4h.'],
    [{ limit: 0, nextAllowedAt: null }, 'payments-db must not be restarted.'],
    [{ limit: 0, nextAllowedAt: null, action: 'redeploy' }, 'payments-db must not be redeployed.'],
    [{ limit: 1, used: 1, nextAllowedAt: null }, 'payments-db was restarted once in the last 4h.'],
  ])('%j', (change, sentence) => {
    expect(cooldownSentence({ ...exhausted, ...change })).toBe(sentence);
  });
});
