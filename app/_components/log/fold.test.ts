import { describe, expect, it } from 'vitest';
import { callEnd, foldLines, hasFoldedMatch, isOpenByDefault, outputLines } from './fold';
import type { CallItem } from './log-rows';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

describe('folding output', () => {
  it.each([
    [1, 1, 0, 0],
    [16, 16, 0, 0],
    [17, 3, 2, 12],
    [214, 3, 199, 12],
  ])('%i lines show %i, hide %i, show %i', (total, head, hidden, tail) => {
    const folded = foldLines(lines(total));
    expect([folded.head.length, folded.hiddenCount, folded.tail.length]).toEqual([
      head,
      hidden,
      tail,
    ]);
  });

  it('shows the very first and the very last lines', () => {
    const folded = foldLines(lines(214));
    expect(folded.head[0]).toBe('line 1');
    expect(folded.tail.at(-1)).toBe('line 214');
  });

  it('does not count the newline at the end as a line', () => {
    expect(outputLines('a\r\nb\n')).toEqual(['a', 'b']);
    expect(outputLines('')).toEqual([]);
  });
});

describe('a match in folded output', () => {
  it.each([
    ['in a folded line', lines(40), 'line 20', true],
    ['with other capitals', lines(40), ' LINE 20 ', true],
    ['in a line that is shown', lines(40), 'line 40', false],
    ['in no line', lines(40), 'line 41', false],
    ['without words', lines(40), ' ', false],
    ['in output that is whole', lines(16), 'line 5', false],
  ])('%s', (_what, output, words, isFolded) => {
    expect(hasFoldedMatch(output, words)).toBe(isFolded);
  });
});

describe('folding calls', () => {
  const ended = (result: Partial<NonNullable<CallItem['result']>> | null): CallItem => ({
    type: 'call',
    seq: 1,
    at: '2026-11-21T14:52:00.000Z',
    toolUseId: 't1',
    tool: 'Bash',
    input: {},
    items: [],
    result: result && {
      seq: 2,
      at: '2026-11-21T14:52:01.000Z',
      kind: 'tool_result',
      toolUseId: 't1',
      isError: false,
      denied: false,
      content: '',
      stdout: null,
      stderr: null,
      exitCode: 0,
      cutBytes: 0,
      ...result,
    },
  });

  it.each([
    ['running', ended(null), 'pending', false],
    ['exit 0', ended({}), 'ok', false],
    ['no exit code', ended({ exitCode: null }), 'ok', false],
    ['exit 1', ended({ exitCode: 1 }), 'failed', true],
    ['an error', ended({ isError: true, exitCode: null }), 'failed', true],
    ['a denial', ended({ isError: true, denied: true }), 'denied', true],
  ])('%s', (_name, call, end, isOpen) => {
    expect(callEnd(call)).toBe(end);
    expect(isOpenByDefault(call, false)).toBe(isOpen);
    expect(isOpenByDefault(call, true)).toBe(true);
  });
});
