import { expect, it } from 'vitest';
import { isFamily } from './runner-cgroup';

/** 1 started 10 (systemd), 10 started 20 (the runner’s parent), 20 started 30 (the runner), 30 started 40. */
const PARENTS: Record<number, number> = { 1: 0, 10: 1, 20: 10, 30: 20, 40: 30, 50: 20 };
const read = (pid: number) => {
  const parentPid = PARENTS[pid];
  return parentPid === undefined ? null : { parentPid };
};

it.each([
  ['a runner alone', [30], true],
  ['its parent and its agents', [20, 30, 40], true],
  ['one that has ended meanwhile', [30, 99], true],
  ['another program of its parent, such as a terminal’s', [20, 30, 50], false],
])(
  '[BND-1.2] a service’s cgroup is the runner’s to limit with %s: %j is %s',
  (_what, pids, expected) => {
    expect(isFamily(pids, 30, read)).toBe(expected);
  },
);
