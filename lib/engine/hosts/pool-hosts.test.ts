import { describe, expect, it } from 'vitest';
import type { Canary } from '@/lib/protocol/canary';
import type { Confinement, Isolation } from '@/lib/protocol/confinement';
import type { Capabilities } from '@/lib/protocol/schema';
import type { Tier } from '@/lib/protocol/spec';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import {
  isAble,
  isFit,
  missingIsolation,
  obstacleOf,
  type PoolHost,
  strictest,
  unconfinedFact,
  unprovenFact,
} from './pool-hosts';

const HOST: PoolHost = {
  ...{ id: '1', name: 'r1', status: 'online', allowsTier: true, isTooOld: false },
  ...{ isCliDenied: false, canConfine: true, unproven: null },
};
const unproven = (detail: string | null) => ({ runner: 'r1', agent: 'Claude Code', detail });

it.each<[string, Partial<PoolHost>, { able: boolean; fit: boolean }]>([
  ['has what it needs', {}, { able: true, fit: true }],
  ['runs its canary', { unproven: unproven(null) }, { able: false, fit: true }],
  ['has failed its canary', { unproven: unproven('It ran it.') }, { able: false, fit: false }],
  ['is offline', { status: 'offline' }, { able: false, fit: false }],
  ['has never connected', { status: 'never' }, { able: false, fit: false }],
  ['is drained', { status: 'draining' }, { able: false, fit: false }],
  ['is paused', { status: 'paused' }, { able: false, fit: false }],
  ['is revoked', { status: 'revoked' }, { able: false, fit: false }],
  ['is for other tiers', { allowsTier: false }, { able: false, fit: false }],
  ['is too old', { isTooOld: true }, { able: false, fit: false }],
  ['has a denied version', { isCliDenied: true }, { able: false, fit: false }],
  ['can’t confine agents', { canConfine: false }, { able: false, fit: false }],
])('[BND-1.3] a host that %s: %j', (_what, change, expected) => {
  const host = { ...HOST, ...change };
  expect({ able: isAble(host), fit: isFit(host) }).toEqual(expected);
  expect(obstacleOf(host) === null).toBe(expected.fit);
});

function fact(
  canaries: Canary[] | undefined,
  start: { tier?: Tier; isolation?: Isolation } = {},
  harness = 'claude',
) {
  const capabilities = {
    ...TEST_CAPABILITIES,
    harnesses: TEST_CAPABILITIES.harnesses.map((each) => ({
      ...each,
      canaries: each.name === 'claude' ? canaries : undefined,
    })),
  };
  const { tier = 2, isolation = 'open' } = start;
  return unprovenFact(tier, isolation, harness, { name: 'eu-1', capabilities });
}

const canaryOf = (mode: Canary['mode'], state: Canary['state']): Canary => ({
  mode,
  state,
  detail: state === 'failed' ? 'It ran it.' : null,
});

describe('[BND-5.3] what an agent has still to prove on a host', () => {
  it.each([
    ['nothing once it has', [canaryOf('open', 'passed')], {}, null],
    ['that it refuses, while the canary runs', [canaryOf('open', 'pending')], {}, 'pending'],
    ['that it refuses, after it failed', [canaryOf('open', 'failed')], {}, 'It ran it.'],
    ['nothing for tier 1', [canaryOf('open', 'failed')], { tier: 1 }, null],
    ['everything, on a runner from before canaries', undefined, {}, 'too old'],
    ['nothing for tier 1 there', undefined, { tier: 1 }, null],
    ['nothing while its runner finds no program', [], {}, null],
    [
      'nothing about another way to start',
      [canaryOf('confined', 'failed'), canaryOf('open', 'passed')],
      {},
      null,
    ],
    [
      'the sandbox, in a confined project',
      [canaryOf('confined', 'failed'), canaryOf('open', 'passed')],
      { isolation: 'confined' },
      'It ran it.',
    ],
  ] as const)('%s', (_what, canaries, start, expected) => {
    const found = fact(canaries && [...canaries], start);
    const isTooOld = found?.isRunnerTooOld === true;
    expect(isTooOld ? 'too old' : found && (found.detail ?? 'pending')).toBe(expected);
  });

  it('is nothing of an agent without a model', () => {
    expect(fact(undefined, {}, 'demo')).toBeNull();
  });

  it('names runner, agent and version', () => {
    expect(fact([canaryOf('open', 'failed')])).toEqual({
      runner: 'eu-1',
      agent: 'Claude Code 2.1.197',
      detail: 'It ran it.',
    });
  });
});

const CAPABILITIES: Capabilities = {
  runnerVersion: '1',
  hostname: 'h',
  platform: 'linux-x64',
  user: 'u',
  isRoot: false,
  containment: 'marker',
  slots: 1,
  harnesses: [],
};

const config = (isolation: Isolation) => ({ isolation });

function runner(confinement?: Confinement) {
  return {
    name: 'r1',
    capabilities: confinement ? { ...CAPABILITIES, confinement } : CAPABILITIES,
  };
}

const confined = runner({ state: 'confined', cause: null, detail: null });
const visible = runner({ state: 'process_list_visible', cause: 'proc_masked', detail: null });
const none = runner({ state: 'none', cause: 'not_installed', detail: null });

it.each([
  ['open', none, null],
  ['confined', confined, null],
  ['confined', visible, null],
  ['confined', none, 'bubblewrap isn’t installed on the host.'],
  ['confined', runner(), 'Its version can’t confine agents.'],
] as const)('%s: %j', (isolation, host, why) => {
  const fact = missingIsolation([config(isolation)], host);
  expect(fact && [fact.runner, fact.why]).toEqual(why && ['r1', why]);
});

it('[HLD-1.1] is missing if either configuration is confined', () => {
  expect(missingIsolation([config('open'), config('confined')], none)).not.toBeNull();
  expect(missingIsolation([config('confined'), config('open')], none)).not.toBeNull();
  expect(strictest([config('open'), config('open')])).toBe('open');
});

const MISSING = { runner: 'r1', why: 'It is too old.', fix: 'Update it.' };
const UNFIT: PoolHost = {
  ...{ id: '1', name: 'r1', status: 'online', allowsTier: true, isTooOld: false },
  ...{ isCliDenied: false, canConfine: false, unproven: null },
};
const FIT: PoolHost = { ...UNFIT, id: '2', name: 'r2', canConfine: true };
const canary = (detail: string | null) => ({
  unproven: { runner: 'r2', agent: 'Claude Code 2.1.330', detail },
});
const stays = { continuesConversation: true };

describe('[BND-1.3] a runner that can’t confine what it claims', () => {
  it.each<[string, PoolHost[], string[]]>([
    ['a host that can', [UNFIT, FIT], ['r2']],
    ['all hosts that can', [FIT, UNFIT, { ...FIT, id: '3', name: 'r3' }], ['r2', 'r3']],
    ['one whose canary still runs', [UNFIT, { ...FIT, ...canary(null) }], ['r2']],
  ])('leaves it to %s', (_what, hosts, elsewhere) => {
    const fact = unconfinedFact(MISSING, hosts, { continuesConversation: false });
    expect(fact).toEqual({ ...MISSING, elsewhere, others: null });
  });

  it.each<[string, PoolHost[], string | null]>([
    ['it is alone', [UNFIT], null],
    ['no other can, either', [UNFIT, { ...UNFIT, id: '3', name: 'r3' }], null],
    ['the other is offline', [UNFIT, { ...FIT, status: 'offline' }], 'r2 is offline'],
    ['the other has never connected', [UNFIT, { ...FIT, status: 'never' }], 'r2 is offline'],
    ['the other is drained', [UNFIT, { ...FIT, status: 'draining' }], 'r2 is drained'],
    ['the other is paused', [UNFIT, { ...FIT, status: 'paused' }], 'r2 is paused'],
    ['the other is for other tiers', [{ ...FIT, allowsTier: false }], 'r2 doesn’t allow the tier'],
    ['the other is too old', [{ ...FIT, isTooOld: true }], 'r2 is too old for it'],
    [
      'the other has a denied version',
      [{ ...FIT, isCliDenied: true }],
      'r2 has a denied version of the agent’s CLI',
    ],
    [
      'the other has failed its canary',
      [{ ...FIT, ...canary('It ran it.') }],
      'r2 hasn’t passed the canary',
    ],
    [
      'each has its own reason',
      [
        { ...FIT, status: 'offline' },
        { ...FIT, id: '3', name: 'r3', status: 'paused' },
      ],
      'r2 is offline, and r3 is paused',
    ],
  ])('leaves it to nobody if %s', (_what, hosts, obstacles) => {
    const fact = unconfinedFact(MISSING, hosts, { continuesConversation: false });
    const others = obstacles && `Others of its pool can confine agents, but ${obstacles}.`;
    expect(fact).toEqual({ ...MISSING, elsewhere: [], others });
  });

  it('leaves it to nobody if it continues a conversation that is on its host', () => {
    expect(unconfinedFact(MISSING, [UNFIT, FIT], stays)).toEqual({
      ...MISSING,
      elsewhere: [],
      others: 'It can’t move to runner r2, because it continues a conversation that is on r1.',
    });
    expect(unconfinedFact(MISSING, [UNFIT], stays).others).toBeNull();
  });
});
