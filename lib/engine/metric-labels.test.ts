import { describe, expect, it } from 'vitest';
import { ATTEMPT_ENDS } from '@/lib/agents/attempt-end';
import { attemptOutcome, commandLabels, modelFamily, workTier } from './metric-labels';

describe('[INC-4.2] labels of metrics', () => {
  it.each([
    ['completed', 'succeeded'],
    ['stalled', 'stalled'],
    ['timed_out', 'timed_out'],
    ['rate_limited', 'rate_limited'],
    ['overloaded', 'rate_limited'],
    ['max_turns', 'limit_reached'],
    ['max_budget', 'limit_reached'],
    ['stopped', 'canceled'],
    ['lost', 'lost'],
    ['waiting_for_approval', 'waiting_for_approval'],
    ['crashed', 'failed'],
    ['auth', 'failed'],
    ['report_missing', 'failed'],
  ] as const)('an attempt that ended as %s is counted as %s', (end, outcome) => {
    expect(attemptOutcome(end)).toBe(outcome);
  });

  it('no end but completed is a success', () => {
    const successes = ATTEMPT_ENDS.filter((end) => attemptOutcome(end) === 'succeeded');
    expect(successes).toEqual(['completed']);
  });

  it.each([
    [0, 'ask'],
    [1, '1'],
    [3, '3'],
  ])('tier %s of the ledger is counted as %s', (tier, label) => {
    expect(workTier(tier)).toBe(label);
  });

  const plain = { refusalCode: null, isApproved: false };
  it.each([
    [{ ...plain, state: 'started' } as const, null],
    [{ ...plain, state: 'succeeded' } as const, ['allowed', 'succeeded']],
    [{ ...plain, state: 'failed', isApproved: true } as const, ['approved', 'failed']],
    [{ ...plain, state: 'not_started' } as const, ['allowed', 'not_started']],
    [{ ...plain, state: 'left_running' } as const, ['allowed', 'left_running']],
    [{ ...plain, state: 'refused', refusalCode: 'approval_refused' } as const, ['denied', 'none']],
    [{ ...plain, state: 'refused', refusalCode: 'approval_expired' } as const, ['expired', 'none']],
    [{ ...plain, state: 'refused', refusalCode: 'no_rule' } as const, ['denied', 'none']],
  ])('a command %j is counted as %j', (command, expected) => {
    const labels = commandLabels(command);
    expect(labels && [labels.decision, labels.outcome]).toEqual(expected);
  });
});

it.each([
  ['claude-haiku-5-20261001', 'claude-haiku-5'],
  ['claude-haiku-4-5-20251001', 'claude-haiku'],
  ['claude-sonnet-5-5', 'claude-sonnet-5-5'],
  ['demo-opus-5', 'demo-opus-5'],
  ['gpt-9', 'other'],
  ['', 'other'],
  ['x'.repeat(10_000), 'other'],
])('[INC-4.2] %s is counted as %s', (model, family) => {
  expect(modelFamily(model)).toBe(family);
});
