import { describe, expect, it } from 'vitest';
import type { Capabilities } from '@/lib/protocol/schema';
import { updateOf } from './update-state';

const at = new Date('2026-11-25T10:00:00Z');
const NONE = {
  updateRequestedAt: null,
  updateStartedAt: null,
  updateFailure: null,
  updateFailedAt: null,
};
const capabilities = (program: Capabilities['program']): Capabilities => ({
  runnerVersion: '1.2.0',
  hostname: 'host',
  platform: 'linux-x64',
  user: 'ops',
  isRoot: false,
  containment: 'marker',
  slots: 4,
  harnesses: [],
  ...(program ? { program } : {}),
});
const file = capabilities({ kind: 'file', sha256: 'old' });

describe('[FLT-5.2] whether a runner can be updated from here', () => {
  it.each<[string, Capabilities | null, string | null, boolean, RegExp | null]>([
    ['with another file', file, 'new', true, null],
    ['with the same file', file, 'old', false, null],
    ['of an installation without a file', file, null, false, /no runner file/],
    ['in a checkout', capabilities({ kind: 'checkout', sha256: null }), 'new', false, /checkout/],
    [
      'in a container',
      capabilities({ kind: 'container', sha256: null }),
      'new',
      false,
      /container/,
    ],
    ['from before updates', capabilities(undefined), 'new', false, /can’t update itself/],
    ['before its first contact', null, 'new', false, /hasn’t connected/],
  ])('%s', (_name, given, current, isAvailable, obstacle) => {
    const update = updateOf(NONE, given, current);
    expect(update.isAvailable).toBe(isAvailable);
    if (obstacle) expect(update.obstacle).toMatch(obstacle);
    else expect(update.obstacle).toBeNull();
  });

  it.each([
    ['none', {}],
    ['waiting', { updateRequestedAt: at }],
    ['running', { updateRequestedAt: at, updateStartedAt: at }],
    ['failed', { updateFailure: 'It exited.', updateFailedAt: at }],
    ['waiting', { updateRequestedAt: at, updateFailure: 'It exited.' }],
  ] as const)('is %s with %j', (state, facts) => {
    expect(updateOf({ ...NONE, ...facts }, file, 'new').state).toBe(state);
  });
});
