import { describe, expect, it } from 'vitest';
import { runnerStatus } from './status';

const now = new Date('2026-01-02T03:04:05Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const calm = { lastSeenAt: ago(10), drainingAt: null, pausedAt: null, revokedAt: null };

describe('runnerStatus', () => {
  it.each([
    ['online', {}],
    ['online', { lastSeenAt: ago(60) }],
    ['offline', { lastSeenAt: ago(61) }],
    ['never', { lastSeenAt: null }],
    ['draining', { drainingAt: ago(1), pausedAt: ago(1) }],
    ['paused', { pausedAt: ago(1) }],
    ['offline', { lastSeenAt: ago(61), drainingAt: ago(1) }],
    ['revoked', { lastSeenAt: null, revokedAt: ago(1), drainingAt: ago(1) }],
  ])('is %s with %o', (status, facts) => {
    expect(runnerStatus({ ...calm, ...facts }, now)).toBe(status);
  });
});
