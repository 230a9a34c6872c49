import { describe, expect, it } from 'vitest';
import type { RunnerDto } from '@/lib/fleet/schema';
import { fleetSentence, runnerLook } from './runner-state';

const now = new Date('2026-11-21T15:00:00Z');
const online: RunnerDto = {
  id: 'rnr_1',
  name: 'eu-1',
  enrolmentId: null,
  pool: 'eu',
  allowedTiers: [1, 2, 3],
  status: 'online',
  slots: 4,
  slotLimit: null,
  slotsInUse: 0,
  problems: [],
  capabilities: null,
  posture: null,
  createdAt: '2026-11-01T00:00:00Z',
  lastSeenAt: '2026-11-21T14:59:50Z',
  pause: null,
  drainingAt: null,
  revokedAt: null,
  keyChangedAt: null,
  rotationRequestedAt: null,
  update: {
    isAvailable: false,
    obstacle: null,
    state: 'none',
    requestedAt: null,
    failedAt: null,
    failure: null,
  },
};

describe('a runner is shown as', () => {
  it.each<[string, string | null, Partial<RunnerDto>]>([
    ['online', null, {}],
    ['busy', '2 of 4', { slotsInUse: 2 }],
    ['draining', '1 left', { status: 'draining', slotsInUse: 1 }],
    ['draining', null, { status: 'draining' }],
    ['offline', null, { status: 'offline', lastSeenAt: '2026-11-21T14:40:12Z' }],
    ['stale', null, { status: 'offline', lastSeenAt: '2026-11-13T14:40:12Z' }],
    ['never_connected', null, { status: 'never', lastSeenAt: null }],
    ['revoked', null, { status: 'revoked' }],
  ])('%s %s', (state, detail, facts) => {
    expect(runnerLook({ ...online, ...facts }, now)).toEqual({ state, detail });
  });
});

describe('the fleet in one sentence', () => {
  it('counts runners by state and says what waits', () => {
    const runners = [online, { ...online, id: 'rnr_2', slotsInUse: 1 }];
    expect(fleetSentence(runners, new Map([['eu', 2]]), now)).toBe(
      '1 online, 1 busy. 2 sessions wait for pool eu.',
    );
  });

  it('says what it means to have none', () => {
    expect(fleetSentence([], new Map(), now)).toBe('No runner is connected, so no chain can run.');
  });
});
