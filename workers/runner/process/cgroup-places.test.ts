import { expect, it } from 'vitest';
import { isLeft, isLive, isRunnerCgroup, mounts, placeIn, runnerCgroupName } from './cgroup-places';

const mountinfo = (root: string) =>
  `30 24 0:26 ${root} /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n`;

it.each([
  [
    'the whole hierarchy',
    '/',
    '/system.slice/runner.service',
    '/sys/fs/cgroup/system.slice/runner.service',
  ],
  ['a container’s own namespace', '/', '/', '/sys/fs/cgroup'],
  ['a bind mount of its parent', '/docker/a', '/docker/a/b', '/sys/fs/cgroup/b'],
  ['a bind mount of its own cgroup', '/docker/a', '/docker/a', '/sys/fs/cgroup'],
  ['the host’s, from a namespace of its own', '/..', '/', null],
  ['a bind mount of another cgroup', '/docker/b', '/docker/a', null],
])(
  '[BND-1.2] a runner’s cgroup is found where this is mounted: %s',
  (_what, root, own, expected) => {
    expect(placeIn(mounts(mountinfo(root)), own)).toBe(expected);
  },
);

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
