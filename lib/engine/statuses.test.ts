import { describe, expect, it } from 'vitest';
import {
  attemptStatusSchema,
  CHAIN_STATUSES,
  chainOutcomeSchema,
  chainStatusSchema,
  currentWait,
  decisionKindSchema,
  LIVE_SESSION_STATUSES,
  SESSION_STATUSES,
  sessionStatusSchema,
  WAIT_REASONS,
  waitReasonSchema,
} from './statuses';

describe('currentWait', () => {
  it.each(['queued', 'waiting'])('%s work waits for what is stored', (status) => {
    expect(currentWait({ status, waitReason: null })).toBeNull();
    for (const waitReason of WAIT_REASONS) {
      expect(currentWait({ status, waitReason })).toBe(waitReason);
    }
  });

  it.each(
    [...new Set([...CHAIN_STATUSES, ...SESSION_STATUSES])].filter(
      (status) => status !== 'queued' && status !== 'waiting',
    ),
  )('%s work waits for nothing, whatever is stored', (status) => {
    expect(currentWait({ status, waitReason: 'budget' })).toBeNull();
  });

  it('refuses a reason that it does not know', () => {
    expect(() => currentWait({ status: 'waiting', waitReason: 'mood' })).toThrow();
  });
});

it.each([
  ['chain status', chainStatusSchema],
  ['chain outcome', chainOutcomeSchema],
  ['session status', sessionStatusSchema],
  ['wait reason', waitReasonSchema],
  ['attempt status', attemptStatusSchema],
  ['decision kind', decisionKindSchema],
])('an unknown %s is an error, never another value', (_title, schema) => {
  expect(schema.safeParse('unknown').success).toBe(false);
});

it('a live session can still be stored with each of its statuses', () => {
  expect(SESSION_STATUSES).toEqual(expect.arrayContaining([...LIVE_SESSION_STATUSES]));
});
