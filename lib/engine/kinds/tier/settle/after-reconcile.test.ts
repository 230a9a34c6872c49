import { describe, expect, it } from 'vitest';
import type { ClassifiedEnd } from '@/lib/agents/attempt-end';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { TierReport } from '@/lib/protocol/report';
import {
  BROKEN,
  earlierAttempt,
  HEALTHY,
  type SettlementChange,
  settlementFacts,
} from '@/tests/support/settlement-facts';
import { afterReconcile } from './plan';

const AFTER = { kind: 'reconciled', sessionStatus: 'lost' } as Parameters<typeof afterReconcile>[2];

function check(status: 'healthy' | 'down'): Extract<RunnerEvent, { kind: 'check_result' }> {
  return {
    kind: 'check_result',
    toolUseId: null,
    service: 'web',
    type: 'tcp',
    target: 'web:80',
    status,
    error: '',
    responseTimeMs: 1,
  } as Extract<RunnerEvent, { kind: 'check_result' }>;
}

function step(report: TierReport | null, change: SettlementChange = {}) {
  const facts = settlementFacts({
    session: { tier: 2 },
    events: [],
    earlier: [earlierAttempt({ end: 'lost', endText: 'The runner went silent.' })],
    ...change,
    attempt: { purpose: 'reconcile', ...change.attempt },
  });
  const end = report ? 'completed' : 'crashed';
  const classified = { end, happened: 'It crashed.' } as ClassifiedEnd;
  const parsed = report
    ? ({ ok: true, report } as const)
    : ({ ok: false, error: 'There is none.' } as const);
  return afterReconcile(facts, classified, AFTER, parsed as Parameters<typeof afterReconcile>[3]);
}

describe('what follows an observe-only attempt', () => {
  it('ends the chain as healthy where every service was found so', () => {
    expect(step(HEALTHY)).toMatchObject({
      decision: { kind: 'after_end', verdict: 'end', reason: 'RECONCILED_HEALTHY' },
      session: { status: 'lost', isEnded: true },
      handoff: null,
      next: { kind: 'none' },
      chainEnd: { outcome: 'healthy', reason: 'RECONCILED_HEALTHY', servicesAffected: [] },
      notices: [{ level: 'warning', code: 'RECONCILED_HEALTHY' }],
    });
  });

  it.each([
    ['it found trouble', BROKEN, 'RECONCILED_UNRESOLVED', ['web']],
    ['it never reported', null, 'RECONCILE_FAILED', []],
  ] as const)('calls a person where %s, and starts no tier', (_title, report, reason, services) => {
    expect(step(report)).toMatchObject({
      handoff: null,
      next: { kind: 'none' },
      chainEnd: { outcome: 'needs_human', reason, servicesAffected: services },
      notices: [{ level: 'critical', code: reason }],
    });
  });

  it('calls a person where a check contradicts the report, an earlier one too', () => {
    for (const change of [{ events: [check('down')] }, { earlierChecks: [check('down')] }]) {
      expect(step(HEALTHY, change).chainEnd).toMatchObject({
        outcome: 'needs_human',
        servicesAffected: ['web'],
      });
    }
    const since = { earlierChecks: [check('down')], events: [check('healthy')] };
    expect(step(HEALTHY, since).chainEnd?.outcome).toBe('healthy');
  });

  it('keeps the end of the attempt that was examined, and says what was found since', () => {
    const { session, chainEnd, decision } = step(HEALTHY);
    expect(session.statusText).toMatch(
      /^The runner went silent\. An observe-only attempt reported no problems/,
    );
    expect(chainEnd?.statusText).toMatch(
      /^Tier 2 didn't finish\. An observe-only attempt reported no problems/,
    );
    expect(decision.sentence).toBe(chainEnd?.statusText);
  });

  it('says that the tier did not finish where its attempt left no text', () => {
    const { session } = step(HEALTHY, { earlier: [earlierAttempt({ endText: '' })] });
    expect(session.statusText).toMatch(/^Tier 2 didn't finish\. /);
  });
});
