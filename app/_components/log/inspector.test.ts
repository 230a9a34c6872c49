import { expect, it } from 'vitest';
import { outputFact } from './inspector';

const output = (stdout: string | null, stderr: string | null, content = '') =>
  outputFact({
    kind: 'tool_result',
    seq: 2,
    at: '2026-11-21T14:00:00.000Z',
    toolUseId: 't1',
    isError: false,
    denied: false,
    content,
    stdout,
    stderr,
    exitCode: 0,
    cutBytes: 0,
  });

it.each([
  ['nothing', output('', ''), '0 lines of stdout, 0 lines of stderr'],
  ['one line', output('web\n', ''), '1 line of stdout, 0 lines of stderr'],
  ['several', output('a\nb\n', 'c'), '2 lines of stdout, 1 line of stderr'],
  ['no streams of its own', output(null, null, 'web: down\n'), '1 line'],
])('counts the output of a call with %s', (_what, fact, text) => {
  expect(fact).toBe(text);
});
