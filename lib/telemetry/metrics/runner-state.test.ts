import { expect, it } from 'vitest';
import { type RunnerRow, runnerState } from './runner-state';

const NOW = new Date('2026-11-26T12:00:00Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);
const ONLINE: RunnerRow = {
  lastSeenAt: ago(5),
  drainingAt: null,
  pausedAt: null,
  revokedAt: null,
  version: '1.4.0',
};

it.each<[string, Partial<RunnerRow>, string]>([
  ['with the current version', {}, 'online'],
  ['with an earlier version', { version: '1.3.9' }, 'outdated'],
  ['with a later version', { version: '1.5.0' }, 'online'],
  ['draining with an earlier version', { version: '1.3.9', drainingAt: ago(1) }, 'draining'],
  ['paused', { pausedAt: ago(1) }, 'paused'],
  ['silent for a minute', { lastSeenAt: ago(61) }, 'offline'],
  ['never seen', { lastSeenAt: null, version: null }, 'never'],
])('[INC-4.2] a runner %s counts as %s', (_name, facts, state) => {
  expect(runnerState({ ...ONLINE, ...facts }, NOW, '1.4.0')).toBe(state);
});
