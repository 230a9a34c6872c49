import { expect, it } from 'vitest';
import { belongingTo } from './attempt-processes';
import type { HostProcess } from './process-table';
import { parseStat } from './process-table';

function process(
  pid: number,
  parentPid: number,
  groupId: number,
  sessionId = groupId,
  isZombie = false,
): HostProcess {
  return { pid, parentPid, groupId, sessionId, startedAt: '1', isZombie };
}

const runner = process(10, 1, 10);

it.each<[string, HostProcess[], number[]]>([
  ['a child', [process(21, 20, 20)], [20, 21]],
  [
    'a grandchild before its parent in the table',
    [process(5, 21, 20), process(21, 20, 20)],
    [20, 5, 21],
  ],
  ['a child in a session of its own', [process(21, 20, 21)], [20, 21]],
  ['what was left to process 1 in its session', [process(22, 1, 30, 20)], [20, 22]],
  ['nothing of the runner', [process(11, 10, 10)], [20]],
  ['no zombie', [process(21, 20, 20, 20, true)], [20]],
  ['a neighbour of the same user not', [process(40, 1, 40)], [20]],
])('finds %s', (_what, others, expected) => {
  const table = [runner, process(20, 10, 20), ...others];
  const pids = belongingTo(new Set([20]), table).map((one) => one.pid);
  expect(pids.sort()).toEqual(expected.sort());
});

it('finds what a session leader that is gone has left', () => {
  const table = [runner, process(22, 1, 20, 20)];
  expect(belongingTo(new Set([20]), table).map((one) => one.pid)).toEqual([22]);
});

it('reads a process whose name holds brackets and blanks', () => {
  const numbers = Array.from({ length: 30 }, (_, index) => index).join(' ');
  expect(parseStat(`77 (a) b (c) S 1 77 76 ${numbers}`)).toMatchObject({
    pid: 77,
    parentPid: 1,
    groupId: 77,
    sessionId: 76,
    startedAt: '15',
  });
});
