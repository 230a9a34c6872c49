import { describe, expect, it } from 'vitest';
import {
  asSentence,
  closedGate,
  GATE_CODES,
  type GateCode,
  NOTHING_HOLDS,
  refusalText,
  type StartFacts,
} from './start-policy';

const now = new Date('2026-11-21T14:00:00Z');
const later = new Date('2026-11-21T15:00:00Z');
const open: StartFacts = { ...NOTHING_HOLDS, tier: 2, projectName: 'Checkout', services: ['web'] };
const window = { name: 'Patching', startsAt: now, endsAt: later } as const;
const spent = { scope: 'day', spentMicros: 10_000_000, limitMicros: 10_000_000 } as const;
const used = {
  service: 'web',
  action: 'restart',
  used: 2,
  limit: 2,
  windowSeconds: 14_400,
  nextAllowedAt: later,
} as const;

/** Every gate alone, in the order in which they are asked. */
const CLOSED: [code: GateCode, facts: Partial<StartFacts>, because: string][] = [
  ['SNOOZED', { snoozes: [{ service: 'web', until: later }] }, 'web is snoozed'],
  [
    'ACKNOWLEDGED',
    { inHand: [{ service: 'web', by: 'Ana', chainNumber: 12 }] },
    'Ana has acknowledged web since Chain #12',
  ],
  [
    'PAUSED',
    { pauses: [{ scope: 'project', by: 'Ana', since: now }] },
    'Checkout is paused by Ana',
  ],
  [
    'MAINTENANCE',
    { maintenance: { ...window, effect: 'observe_only' } },
    'the maintenance window “Patching” is open until 2026-11-21 15:00 UTC',
  ],
  ['MAX_TIER', { maxTier: 1 }, 'tier 2 is above the maximum for Checkout, which is tier 1'],
  ['TIER_DISABLED', { enabledTiers: [1, 3] }, 'tier 2 is turned off for Checkout'],
  ['DRY_RUN', { isDryRun: true }, 'Checkout is in dry run, in which no tier above 1 starts'],
  ['CHAIN_RUNNING', { liveChain: 7 }, 'Chain #7 is still running'],
  ['BUDGET', { budgets: [spent] }, "Checkout reached today's budget of $10.00"],
  ['NO_POOL', { missingPool: 'eu' }, 'there is no runner pool named eu'],
  [
    'NOT_CONFINED',
    { unconfined: { runner: 'r1', why: 'It is too old.', fix: 'Update it.' } },
    'tier 2 requires isolation, and runner r1 can’t confine agents',
  ],
  [
    'CANARY_PENDING',
    { unproven: { runner: 'r1', agent: 'Claude Code 2.1.330', detail: null } },
    'Claude Code 2.1.330 on runner r1 hasn’t proven yet that it refuses forbidden commands',
  ],
  [
    'CANARY_FAILED',
    { unproven: { runner: 'r1', agent: 'Claude Code 2.1.330', detail: 'It ran a command.' } },
    'the canary of Claude Code 2.1.330 failed on runner r1 (It ran a command)',
  ],
  [
    'COOLDOWN',
    { cooldowns: [used] },
    'web was restarted twice in the last 4h. The next restart is allowed at 15:00 UTC',
  ],
  ['APPROVAL', { approval: { kind: 'unasked' } }, 'the start of tier 2 waits for approval'],
  [
    'APPROVAL_REFUSED',
    {
      approval: {
        kind: 'refused',
        title: '`docker restart web`',
        refusal: 'Ana refused it: not now',
      },
    },
    '`docker restart web` was refused (Ana refused it: not now)',
  ],
  [
    'APPROVAL_EXPIRED',
    { approval: { kind: 'expired', title: 'The start of tier 2' } },
    'nobody decided in time about the start of tier 2',
  ],
];

describe('the start policy', () => {
  it('lets work start that nothing holds', () => {
    expect(closedGate(open, now)).toBeNull();
  });

  it.each(CLOSED)('[ENG-1.3] %s: %j', (code, facts, because) => {
    const gate = closedGate({ ...open, ...facts }, now);
    expect(gate).toMatchObject({ code, because });
    expect(gate?.remedy).toMatch(/^[A-Z].*\.$/);
  });

  it('[ENG-1.3] states for every gate as what waiting work is stored', () => {
    const stored = CLOSED.map(([code, facts]) => [
      code,
      closedGate({ ...open, ...facts }, now)?.waitReason,
    ]);
    expect(stored.filter(([, reason]) => reason !== null)).toEqual([
      ['PAUSED', 'pause'],
      ['MAINTENANCE', 'maintenance'],
      ['BUDGET', 'budget'],
      ['CANARY_PENDING', 'canary'],
      ['CANARY_FAILED', 'canary'],
      ['APPROVAL', 'approval'],
    ]);
  });

  it('[ENG-1.3] has a case for every gate', () => {
    expect(CLOSED.map(([code]) => code)).toEqual(GATE_CODES);
  });

  const pairs = CLOSED.flatMap((first, index) =>
    CLOSED.slice(index + 1).map((second) => [first[0], second[0], first[1], second[1]] as const),
  );
  it.each(pairs)('[ENG-1.3] names %s before %s', (code, _later, first, second) => {
    expect(closedGate({ ...open, ...second, ...first }, now)?.code).toBe(code);
  });

  it.each<[string, Partial<StartFacts>]>([
    ['a snooze that is over', { snoozes: [{ service: 'web', until: now }] }],
    [
      'a snooze of another service',
      { services: ['web', 'api'], snoozes: [{ service: 'web', until: later }] },
    ],
    ['a pause of another tier', { pauses: [{ scope: 'tier', tier: 3, by: 'Ana', since: now }] }],
    [
      'a window that lets tier 1 look',
      { tier: 1, services: [], maintenance: { ...window, effect: 'observe_only' } },
    ],
    ['dry run, for tier 1', { tier: 1, services: [], isDryRun: true }],
    ['a budget with something left', { budgets: [{ ...spent, spentMicros: 9_999_999 }] }],
    ['a cooldown of one of two services', { services: ['web', 'api'], cooldowns: [used] }],
    ['a cooldown of restarts, for tier 3', { tier: 3, cooldowns: [used] }],
    ['a cooldown with one action left', { cooldowns: [{ ...used, used: 1 }] }],
    ['a cooldown of a service that is not affected', { services: [], cooldowns: [used] }],
    ['a cooldown, for tier 1', { tier: 1, cooldowns: [used] }],
  ])('is not held by %s', (_what, facts) => {
    expect(closedGate({ ...open, ...facts }, now)).toBeNull();
  });

  it.each<[Partial<StartFacts>, string]>([
    [
      { pauses: [{ scope: 'organization', name: 'Acme', by: 'Ana', since: now }] },
      'Acme is paused by Ana. Resume it first.',
    ],
    [
      {
        unproven: {
          runner: 'r1',
          agent: 'Claude Code 2.1.330',
          detail: 'The runner is too old to test it.',
          isRunnerTooOld: true,
        },
      },
      'The version of runner r1 is too old to prove that Claude Code 2.1.330 refuses forbidden commands. Update the runner, or connect another one.',
    ],
    [
      { pauses: [{ scope: 'tier', tier: 2, by: 'Ana', since: now }] },
      'Tier 2 of Checkout is paused by Ana. Resume it first.',
    ],
    [
      { maintenance: { ...window, effect: 'no_cycles' } },
      'The maintenance window “Patching” is open until 2026-11-21 15:00 UTC. Wait until the window closes, or change it in the settings.',
    ],
    [
      { budgets: [spent] },
      "Checkout reached today's budget of $10.00. New chains start tomorrow 00:00 UTC, or when you raise the budget.",
    ],
  ])('tells a person what to do about %j', (facts, text) => {
    const gate = closedGate({ ...open, ...facts }, now);
    expect(gate && refusalText(gate)).toBe(text);
  });

  it('starts a sentence with a capital', () => {
    expect(asSentence('the window is open')).toBe('The window is open.');
    expect(asSentence('checkout is paused')).toBe('checkout is paused.');
  });
});
