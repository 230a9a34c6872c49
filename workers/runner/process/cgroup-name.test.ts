import { expect, it } from 'vitest';
import { isLeft, isLive, isRunnerCgroup, runnerCgroupName } from './cgroup-name';

const HERE = { namespace: '4026531836', isThere: (pid: number) => pid === 70 };
const mine = runnerCgroupName(70, HERE);

it.each([
  ['of a runner that is there', mine, { isLive: true, isLeft: false }],
  ['of one that has ended', 'tierwatch-71-4026531836', { isLive: false, isLeft: true }],
  [
    'of another container, whose processes are not seen',
    'tierwatch-71-99',
    { isLive: false, isLeft: false },
  ],
  [
    'of another container, under a number that is used here',
    'tierwatch-70-99',
    { isLive: false, isLeft: false },
  ],
  ['of an earlier version that is there', 'tierwatch-70', { isLive: true, isLeft: false }],
  ['of an earlier version, from anywhere', 'tierwatch-71', { isLive: false, isLeft: false }],
])('[FLT-5.1] a cgroup %s', (_what, name, expected) => {
  expect(isRunnerCgroup(name)).toBe(true);
  expect({ isLive: isLive(name, HERE), isLeft: isLeft(name, HERE) }).toEqual(expected);
});

it('[FLT-5.1] a cgroup of something else is nobody’s to remove', () => {
  expect(isRunnerCgroup('system.slice')).toBe(false);
  expect(isLeft('system.slice', HERE)).toBe(false);
});
