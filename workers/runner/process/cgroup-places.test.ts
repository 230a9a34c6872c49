import { expect, it } from 'vitest';
import { mounts, placeIn } from './cgroup-places';

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
