import { describe, expect, it } from 'vitest';
import type { AttemptDto } from '@/lib/insight/sessions/schema';
import { appendEvents, emptyLog } from '../group-events';
import type { StoredEvent } from '../log-rows';
import { anchorOf, entryOfEvent, logEntries } from './log-entries';
import {
  filterRows,
  type LogFilter,
  lastCallSeq,
  matchAfter,
  openCalls,
  problemAfter,
  rowAfter,
  searchRows,
} from './rows';

const at = '2026-11-21T14:00:00.000Z';

function call(seq: number, command: string, parentToolUseId: string | null = null): StoredEvent {
  const ids = { messageId: `m${seq}`, toolUseId: `t${seq}`, parentToolUseId };
  return { kind: 'tool_call', seq, at, tool: 'Bash', input: { command }, ...ids };
}

function result(seq: number, of: number, end: 'ok' | 'failed' | 'denied'): StoredEvent {
  return {
    kind: 'tool_result',
    seq,
    at,
    toolUseId: `t${of}`,
    isError: end !== 'ok',
    denied: end === 'denied',
    content: '',
    stdout: end === 'denied' ? null : `output of ${of}`,
    stderr: '',
    exitCode: end === 'failed' ? 1 : 0,
    cutBytes: 0,
  };
}

function brokered(seq: number, phase: 'started' | 'refused', code: string | null): StoredEvent {
  const refusal = code === null ? null : { code, message: 'Refused.' };
  const argv = ['docker', 'restart', 'db'];
  // The first two are about one command.
  const number = Math.max(5, seq);
  const none = { rule: null, end: null };
  return { kind: 'brokered', seq, at, phase, number, argv, refusal, changes: true, ...none };
}

const { rows } = appendEvents(emptyLog, [
  { kind: 'text', seq: 1, at, messageId: 'm1', text: 'Looking at web.', parentToolUseId: null },
  call(2, 'docker ps'),
  result(3, 2, 'ok'),
  call(4, 'docker inspect web'),
  result(5, 4, 'failed'),
  call(6, 'docker restart web'),
  result(7, 6, 'denied'),
  call(8, 'curl web', 't6'),
  { kind: 'notice', seq: 9, at, level: 'critical', code: 'STALLED', message: 'No output.' },
  { kind: 'notice', seq: 10, at, level: 'info', code: 'RESUMED', message: 'Continues #18.' },
]);

describe('the filter of the log', () => {
  it.each<[LogFilter, number[]]>([
    ['all', [1, 2, 4, 6, 9, 10]],
    ['calls', [2, 4, 6]],
    ['denied', [6]],
    ['errors', [4, 9]],
  ])('%s', (filter, seqs) => {
    expect(filterRows(rows, filter).map((row) => row.seq)).toEqual(seqs);
  });

  it('[BND-4.5] counts a denied call and each denied command once, and none that waits for a person', () => {
    const log = appendEvents(emptyLog, [
      call(1, 'docker restart web'),
      result(2, 1, 'denied'),
      call(3, 'docker restart db'),
      brokered(4, 'started', null),
      brokered(5, 'refused', 'lease_lost'),
      brokered(6, 'refused', 'no_rule'),
      brokered(7, 'refused', 'approval_pending'),
      result(8, 3, 'failed'),
    ]);
    expect(log.counts).toEqual({ calls: 2, denied: 3, errors: 1 });
    expect(filterRows(log.rows, 'denied').map(({ seq }) => seq)).toEqual([1, 5, 6]);
    expect(problemAfter(log.rows, 3, 1)).toBe(5);
  });

  it('keeps a call that holds a wanted one', () => {
    const [request] = filterRows(rows, 'calls').slice(-1);
    expect(request).toMatchObject({ items: [{ seq: 6, items: [{ seq: 8 }] }] });
  });
});

describe('the search of the log', () => {
  it.each([
    ['WEB', [1, 4, 6, 8]],
    ['output of 2', [2]],
    ['stalled', [9]],
    ['  ', []],
    ['nowhere', []],
  ])('%s', (query, seqs) => {
    expect(searchRows(rows, query)).toEqual(seqs);
  });
});

describe('the rows of a log', () => {
  const attempt = (id: string, isEnded = true) =>
    ({ id, exit: isEnded ? { kind: 'completed' } : null }) as AttemptDto;
  const starts = [
    { attemptId: 'att_1', seq: 1 },
    { attemptId: 'att_2', seq: 5 },
  ];
  const keys = (frame: Parameters<typeof logEntries>[1]) =>
    logEntries(rows, frame).map((entry) => entry.key);

  it('one attempt has an end and no beginning of its own', () => {
    const frame = { attempts: [attempt('att_1')], starts: starts.slice(0, 1) };
    expect(keys({ ...frame, isComplete: true }).at(-1)).toBe('end-att_1');
    expect(keys({ ...frame, isComplete: false }).some((key) => key.startsWith('end'))).toBe(false);
    expect(keys({ ...frame, isComplete: true }).some((key) => key.startsWith('start'))).toBe(false);
  });

  it('the first of two attempts ends where the second begins', () => {
    const frame = { attempts: [attempt('att_1'), attempt('att_2')], starts, isComplete: true };
    const found = keys(frame);
    expect(found[0]).toBe('start-att_1');
    expect(found.slice(4, 7)).toEqual(['end-att_1', 'start-att_2', 'request-6']);
    expect(found.at(-1)).toBe('end-att_2');
  });

  it('an event is found in its row, a result in its call', () => {
    const entries = logEntries(rows, { attempts: [], starts: [], isComplete: false });
    const seqOf = (seq: number) => entries[entryOfEvent(entries, seq)]?.seq;
    expect([1, 3, 8, 10].map(seqOf)).toEqual([1, 2, 6, 10]);
    const anchor = (row: number, seq: number) => rows[row] && anchorOf(rows[row], seq);
    expect([anchor(1, 3), anchor(3, 8), anchor(3, 7), anchor(0, 99)]).toEqual([2, 8, 6, 1]);
  });
});

describe('which calls are open', () => {
  it('failed, denied and last ones, unless the reader chose otherwise', () => {
    expect(lastCallSeq(rows)).toBe(8);
    const open = (chosen: [number, boolean][]) =>
      rows.map((row) => openCalls(row, new Map(chosen), 8));
    expect(open([])).toEqual(['', '', '4', '6,8', '', '']);
    expect(
      open([
        [2, true],
        [6, false],
      ]),
    ).toEqual(['', '2', '4', '8', '', '']);
  });
});

describe('the next row', () => {
  it.each<[string, number | null, 1 | -1, number | null]>([
    ['of nothing selected', null, 1, 1],
    ['before nothing selected', null, -1, 10],
    ['after a text', 1, 1, 2],
    ['inside a sub-agent', 6, 1, 8],
    ['before one inside a sub-agent', 8, -1, 6],
    ['after an event without a row of its own', 3, 1, 4],
    ['after the last', 10, 1, null],
    ['before the first', 1, -1, null],
  ])('%s', (_what, seq, step, next) => {
    expect(rowAfter(rows, seq, step)).toBe(next);
  });
});

describe('the next match', () => {
  const found = [4, 9, 20];
  it.each<[string, readonly number[], number | null, 1 | -1, number | null]>([
    ['without any', [], 4, 1, null],
    ['of nothing selected', found, null, 1, 4],
    ['before nothing selected', found, null, -1, 20],
    ['after a match', found, 4, 1, 9],
    ['before a match', found, 9, -1, 4],
    ['around the end', found, 20, 1, 4],
    ['around the beginning', found, 4, -1, 20],
    ['after a row that is no match', found, 10, 1, 20],
    ['before a row that is no match', found, 10, -1, 9],
    ['after a row behind the last', found, 30, 1, 4],
  ])('%s', (_what, matches, marked, step, next) => {
    expect(matchAfter(matches, marked, step)).toBe(next);
  });
});

it('finds a report by the words that its row shows, not by its fields', () => {
  const log = appendEvents(emptyLog, [
    {
      kind: 'tool_call',
      seq: 1,
      at,
      tool: 'StructuredOutput',
      input: {
        summary: 'web is down.',
        services_checked: [],
        escalation: { wanted: true, reason: 'A restart is needed.', services: ['web'] },
      },
      messageId: 'm1',
      toolUseId: 't1',
      parentToolUseId: null,
    },
  ]);
  expect(searchRows(log.rows, 'restart is needed')).toEqual([1]);
  expect(searchRows(log.rows, 'services_checked')).toEqual([]);
});
