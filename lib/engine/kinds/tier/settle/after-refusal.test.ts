import { describe, expect, it } from 'vitest';
import {
  BROKEN,
  earlierAttempt,
  INIT,
  reported,
  SETTLED_AT,
  type SettlementChange,
  START,
  settlementFacts,
} from '@/tests/support/settlement-facts';
import type { RefusedCommand } from './facts';
import { planSettlement, type SettlementStep } from './plan';

const REFUSED: RefusedCommand = {
  title: '`docker restart web`',
  refusal: 'ana@x.example refused it: A backup runs',
  services: ['web'],
};

function step(change: SettlementChange = {}): SettlementStep {
  const facts = settlementFacts({ refused: REFUSED, ...change });
  const { step: planned } = planSettlement(facts, SETTLED_AT);
  if (!planned) throw new Error('Nothing was planned.');
  return planned;
}

const BECAUSE =
  '`docker restart web` was refused (ana@x.example refused it: A backup runs). The project’s settings end the chain after that.';
const CRASHED = { events: [INIT], result: { exit: { code: 1, signal: null } } } as const;
const STALLED = {
  events: [INIT],
  result: { stopCause: 'stalled', exit: { code: null, signal: 'SIGTERM' } },
} as const;
const WAITING = {
  events: [INIT],
  result: { stopCause: 'approval', exit: { code: 143, signal: null } },
} as const;
const TIER_2 = { session: { tier: 2 } } as const;
const LOST = {
  ...TIER_2,
  events: [INIT],
  result: { exit: null },
  attempt: { start: { ...START, tier: 2 } },
} as const;
const LOOKED = {
  ...TIER_2,
  attempt: { purpose: 'reconcile', startMode: 'reconcile' },
  earlier: [earlierAttempt({ end: 'lost', mayHaveActed: true, endText: 'eu-1 was lost.' })],
} as const satisfies SettlementChange;

describe('[BND-4.2] a refusal that ends the chain', () => {
  it.each<[string, SettlementChange, string]>([
    ['completed and found nothing', {}, 'completed'],
    ['requests the next tier', { events: reported(BROKEN) }, 'completed'],
    ['would be retried', CRASHED, 'refused'],
    ['failed for good', { ...CRASHED, earlier: [earlierAttempt()] }, 'failed'],
    ['would continue after a silence', STALLED, 'refused'],
    ['would wait for other decisions', WAITING, 'refused'],
    ['only looked at what an earlier one has done', LOOKED, 'lost'],
    ['was stopped by a rule', { events: [INIT], result: { stopCause: 'cooldown' } }, 'stopped'],
  ])('needs a human at the end of an attempt that %s', (_what, change, status) => {
    const planned = step(change);
    expect(planned).toMatchObject({
      decision: { kind: 'after_end', verdict: 'end', reason: 'APPROVAL_REFUSED' },
      session: { status, isEnded: true },
      handoff: null,
      next: { kind: 'none' },
      chainEnd: {
        outcome: 'needs_human',
        reason: 'APPROVAL_REFUSED',
        statusText: expect.stringContaining(BECAUSE),
        servicesAffected: ['web'],
      },
    });
    expect(planned.notices.at(-1)).toEqual({
      level: 'critical',
      code: 'APPROVAL_REFUSED',
      message: BECAUSE,
    });
  });

  it.each<[string, SettlementChange]>([
    ['an observe-only check has to run first', LOST],
    ['a person has stopped it', { events: [INIT], result: { stopCause: 'operator' } }],
    ['a person has stopped its chain', { ...CRASHED, chain: { isStopRequested: true } }],
    ['its result came too late', { attempt: { isLate: true } }],
  ])('changes nothing where %s', (_what, change) => {
    const plan = (refused: RefusedCommand | null) =>
      planSettlement(settlementFacts({ ...change, refused }), SETTLED_AT).step;
    expect(plan(REFUSED)).toEqual(plan(null));
  });

  it('announces no start, and keeps what the attempt reported', () => {
    const planned = step({ events: reported(BROKEN) });
    expect(planned.notices.map(({ code }) => code)).toEqual(['APPROVAL_REFUSED']);
    expect(planned.chainEnd).toMatchObject({ summary: 'web is down.', statusText: BECAUSE });
    expect(planned.session.statusText).toBe('web is down.');
  });

  it('keeps how the attempt ended', () => {
    const planned = step({ ...CRASHED, earlier: [earlierAttempt()] });
    expect(planned.notices.map(({ code }) => code)).toEqual(['CRASHED', 'APPROVAL_REFUSED']);
    expect(planned.chainEnd?.statusText).toMatch(/It was tried twice\..*was refused/);
    expect(step(CRASHED).session.statusText).toMatch(/\. `docker restart web` was refused/);
    expect(step(CRASHED).session.statusText).not.toContain('retried');
  });
});
