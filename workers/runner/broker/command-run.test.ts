import { expect, it, vi } from 'vitest';
import type { HostProcess } from '../process/process-table';
import { leftOfGroup } from './command-run';

const LEADER = 4_000;
const member = (pid: number, changes: Partial<HostProcess> = {}): HostProcess => ({
  ...{ pid, parentPid: 1, groupId: LEADER, sessionId: LEADER, startedAt: '7', isZombie: false },
  ...changes,
});

it.each<[string, HostProcess[], number[]]>([
  ['a child that stayed', [member(4_001)], [4_001]],
  ['one that nobody has waited for yet', [member(4_001, { isZombie: true })], []],
  ['both', [member(4_001, { isZombie: true }), member(4_002)], [4_002]],
  ['another group', [member(4_003, { groupId: 4_003 })], []],
  ['a stranger that was given its number', [member(LEADER), member(4_001)], []],
])(
  '[BND-2.8] of a group whose leader has ended, there is left: %s',
  (_what, processes, expected) => {
    vi.spyOn(process, 'kill').mockReturnValue(true);
    expect(leftOfGroup(LEADER, () => processes).map(({ pid }) => pid)).toEqual(expected);
  },
);

it('[BND-2.8] a group that is gone is not looked for among the processes', () => {
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' });
  });
  const list = vi.fn(() => []);
  expect(leftOfGroup(LEADER, list)).toEqual([]);
  expect(list).not.toHaveBeenCalled();
});
