import { describe, expect, it } from 'vitest';
import { type Change, checkGuard } from '@/tests/support/resume-facts';
import type { EarlierAttempt, ResumeRequest } from '../schema';
import { EFFECT_GUARDS } from './effects';

const check = (id: string, request: Partial<ResumeRequest>) =>
  checkGuard(EFFECT_GUARDS, id, { request } satisfies Change);
const after = (calls: Partial<EarlierAttempt>): Partial<ResumeRequest> => ({
  earlierAttempt: {
    outstandingCalls: 0,
    unknownCalls: 0,
    changingCalls: 0,
    ...calls,
  },
});
const WHY = expect.stringMatching(/^Decided when that attempt ended/);

describe('[SAS-3.3] a start that may repeat work looks first', () => {
  it.each<[string, string | null, Partial<ResumeRequest>]>([
    ['G5', 'OUTSTANDING_TOOL', { purpose: 'retry', ...after({ outstandingCalls: 1 }) }],
    ['G5', 'OUTSTANDING_TOOL', { purpose: 'manual', ...after({ outstandingCalls: 1 }) }],
    ['G5', 'OUTSTANDING_TOOL', { purpose: 'continue', ...after({ outstandingCalls: 1 }) }],
    ['G5', 'EFFECT_UNKNOWN', { purpose: 'retry', ...after({ unknownCalls: 1 }) }],
    ['G5', 'EFFECT_UNKNOWN', { purpose: 'manual', ...after({ unknownCalls: 1 }) }],
    ['G5', 'RECONCILE_REQUESTED', { purpose: 'reconcile' }],
    ['G6', 'EFFECTS_APPLIED', { purpose: 'retry', ...after({ changingCalls: 1 }) }],
    ['G6', 'EFFECTS_APPLIED', { purpose: 'manual', ...after({ changingCalls: 1 }) }],
    // Tier 1 only observes, an escalation repeats nothing, and a continuation knows its own calls.
    ['G5', null, { purpose: 'retry', tier: 1, ...after({ outstandingCalls: 1 }) }],
    ['G6', null, { purpose: 'retry', tier: 1, ...after({ changingCalls: 1 }) }],
    ['G5', null, { purpose: 'escalate', ...after({ outstandingCalls: 1, unknownCalls: 1 }) }],
    ['G6', null, { purpose: 'escalate', ...after({ changingCalls: 1 }) }],
    ['G5', null, { purpose: 'continue', ...after({ unknownCalls: 1 }) }],
    ['G6', null, { purpose: 'continue', ...after({ changingCalls: 1 }) }],
  ])('%s gives %s for %j', (id, reason, request) => {
    expect(check(id, request).stop).toEqual(reason && { to: 'reconcile', reason });
  });
});

describe('[ENG-2.2] what the guards against doing something twice compared', () => {
  it.each<[string, string, Partial<ResumeRequest>, object, object]>([
    ['G5', 'no attempt before', {}, { outstandingCalls: 0, unknownCalls: 0 }, {}],
    [
      'G5',
      'an attempt judged at its end',
      { purpose: 'retry' },
      { outstandingCalls: 0, unknownCalls: 0 },
      { outstandingCalls: WHY, unknownCalls: WHY },
    ],
    [
      'G5',
      'an attempt with its calls',
      { purpose: 'retry', ...after({ outstandingCalls: 2, unknownCalls: 3 }) },
      { outstandingCalls: 2, unknownCalls: 3 },
      {},
    ],
    ['G6', 'no attempt before', {}, { changingCalls: 0 }, {}],
    [
      'G6',
      'an attempt judged at its end',
      { purpose: 'retry' },
      { changingCalls: 0 },
      { changingCalls: WHY },
    ],
    [
      'G6',
      'an attempt with its calls',
      { purpose: 'retry', ...after({ changingCalls: 2 }) },
      { changingCalls: 2 },
      {},
    ],
  ])('%s: %s', (id, _, request, compared, unknown) => {
    const outcome = check(id, request);
    expect(outcome.compared).toMatchObject(compared);
    expect(outcome.unknown).toEqual(unknown);
  });
});
