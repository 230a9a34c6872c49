/** A start that every gate lets through, and facts that close one gate each. */
import { expect } from 'vitest';
import { closedGate } from '@/lib/engine/start-policy/closed-gate';
import { NOTHING_HOLDS, type StartFacts } from '@/lib/engine/start-policy/facts';
import type { ClosedGate, GateCode } from '@/lib/engine/start-policy/gate';

export const NOW = new Date('2026-11-21T14:00:00Z');
export const LATER = new Date('2026-11-21T15:00:00Z');

export const OPEN: StartFacts = {
  ...NOTHING_HOLDS,
  tier: 2,
  projectName: 'Checkout',
  services: ['web'],
};

export const WINDOW = { name: 'Patching', startsAt: NOW, endsAt: LATER } as const;
export const SPENT = { scope: 'day', spentMicros: 10_000_000, limitMicros: 10_000_000 } as const;
export const USED = {
  service: 'web',
  action: 'restart',
  used: 2,
  limit: 2,
  windowSeconds: 14_400,
  nextAllowedAt: LATER,
} as const;

export const UNCONFINED = {
  runner: 'r1',
  why: 'It is too old.',
  fix: 'Update it.',
  elsewhere: [],
  others: null,
} as const;

/** In the order in which the gates are evaluated. */
export const CLOSED_BY: Record<GateCode, Partial<StartFacts>> = {
  SNOOZED: { snoozes: [{ service: 'web', until: LATER }] },
  ACKNOWLEDGED: {
    acknowledgements: [{ service: 'web', by: 'Ana', chainNumber: 12, incidentNumber: null }],
  },
  PAUSED: { pauses: [{ scope: 'project', by: 'Ana', since: NOW }] },
  MAINTENANCE: { maintenance: { ...WINDOW, effect: 'observe_only' } },
  MAX_TIER: { maxTier: 1 },
  TIER_DISABLED: { enabledTiers: [1, 3] },
  DRY_RUN: { isDryRun: true },
  CHAIN_RUNNING: { liveChain: 7 },
  BUDGET: { budgets: [SPENT] },
  NO_POOL: { missingPool: 'eu' },
  CONFINED_ELSEWHERE: { unconfined: { ...UNCONFINED, elsewhere: ['r2', 'r3'] } },
  NOT_CONFINED: { unconfined: UNCONFINED },
  CANARY_PENDING: {
    unproven: { runner: 'r1', agent: 'Claude Code 2.1.330', detail: null },
  },
  CANARY_FAILED: {
    unproven: { runner: 'r1', agent: 'Claude Code 2.1.330', detail: 'It ran a command.' },
  },
  COOLDOWN: { cooldowns: [USED] },
  APPROVAL: { approval: { kind: 'unasked' } },
  APPROVAL_REFUSED: {
    approval: {
      kind: 'refused',
      title: '`docker restart web`',
      refusal: 'Ana refused it: not now',
    },
  },
  APPROVAL_EXPIRED: { approval: { kind: 'expired', title: 'The start of tier 2' } },
};

/** Returns the gate that these facts close, where everything else is open. */
export function gateOf(facts: Partial<StartFacts>): ClosedGate | null {
  return closedGate({ ...OPEN, ...facts }, NOW);
}

/** Expects that the example of a code closes its gate, for this reason. */
export function expectClosed(code: GateCode, because: string): void {
  const gate = gateOf(CLOSED_BY[code]);
  expect(gate).toMatchObject({ code, because });
  expect(gate?.remedy).toMatch(/^[A-Z].*\.$/);
}
