import { expect, it } from 'vitest';
import { chooseChecker } from './choose-checker';

const runner = (id: string, projects = 0, takesWork = true) => ({ id, projects, takesWork });

it.each([
  ['stays where it is', 'b', [runner('a'), runner('b', 9)], 'b'],
  ['the one with the fewest projects', null, [runner('a', 2), runner('b', 1)], 'b'],
  ['the first of equals', null, [runner('b'), runner('a')], 'a'],
  ['moves when its runner is gone', 'gone', [runner('a')], 'a'],
  ['moves away from a drained runner', 'a', [runner('a', 1, false), runner('b', 5)], 'b'],
  ['a drained runner is better than none', 'a', [runner('a', 1, false)], 'a'],
  ['nowhere to run', 'a', [], null],
])('[INC-1.1] %s', (_what, current, able, chosen) => {
  expect(chooseChecker(current, able)).toBe(chosen);
});
