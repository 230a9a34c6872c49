import { describe, expect, it } from 'vitest';
import type { Confinement, Isolation } from '@/lib/protocol/confinement';
import type { Posture } from '@/lib/protocol/schema';
import type { PoolHost } from './pool-hosts';
import { missingIsolation, strictest, unconfinedFact } from './unconfined';

const POSTURE: Posture = {
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
  return { name: 'r1', posture: confinement ? { ...POSTURE, confinement } : POSTURE };
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
