import { describe, expect, it } from 'vitest';
import { type LogAttempt, type LogEntry, type LogSession, sessionEntries } from './entries';
import { appendEvents, emptyLog, type LogRow, type StoredEvent } from './events';
import {
  filterEntries,
  findEvent,
  type LogFilter,
  lastCallSeq,
  nextPlace,
  openCalls,
  problemSeqs,
  rowsAmong,
  searchRows,
  seqsOf,
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

const entriesOf = (rows: readonly LogRow[]): LogEntry[] =>
  rows.map((row) => ({ type: 'row', key: String(row.seq), row }));

const filterRows = (rows: readonly LogRow[], filter: LogFilter) =>
  rowsAmong(filterEntries(entriesOf(rows), filter));

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
    expect(problemSeqs(log.rows)).toEqual([1, 3, 5, 6]);
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
  const attempt = (number: number): LogAttempt => ({
    ...{ id: `att_${number}`, number, purpose: 'tier', runner: null, exitCode: 0, costMicros: 0 },
    ...{ end: 'completed', endText: '', startedAt: at, endedAt: at },
  });
  const starts = [
    { attemptId: 'att_1', seq: 1 },
    { attemptId: 'att_2', seq: 5 },
  ];
  const keys = (count: 1 | 2, isComplete: boolean) => {
    const session: LogSession = {
      ...{ id: 'ses_1', number: 8, tier: 1, tools: [], endedAt: at, lastSeq: 10, part: null },
      attempts: [attempt(1), attempt(2)].slice(0, count),
      log: { events: [], after: 0, isWhole: true },
    };
    const attemptStarts = starts.slice(0, count);
    const log = { ...emptyLog, rows, lastSeq: 10 };
    return sessionEntries(session, { log, attemptStarts, after: 0, isComplete }).map(
      ({ key }) => key,
    );
  };

  it('one attempt has an end and no beginning of its own', () => {
    expect(keys(1, true).at(-1)).toBe('end-att_1');
    expect(keys(1, false).some((key) => key.startsWith('end'))).toBe(false);
    expect(keys(1, true).some((key) => key.startsWith('start'))).toBe(false);
  });

  it('the first of two attempts ends where the second begins', () => {
    const found = keys(2, true);
    expect(found[0]).toBe('start-att_1');
    expect(found.slice(4, 7)).toEqual(['end-att_1', 'start-att_2', 'request-6']);
    expect(found.at(-1)).toBe('end-att_2');
  });

  it('an event is found in its row, a result in its call', () => {
    const entries = entriesOf(rows);
    const found = (seq: number) => {
      const place = findEvent(entries, seq);
      return place && [entries[place.index]?.key, place.seq];
    };
    expect([1, 3, 7, 8, 10, 99].map(found)).toEqual([
      ['1', 1],
      ['2', 2],
      ['6', 6],
      ['6', 8],
      ['10', 10],
      ['10', 10],
    ]);
  });
});

describe('which calls are open', () => {
  it('failed, denied and last ones, unless the reader chose otherwise', () => {
    expect(lastCallSeq(rows)).toBe(8);
    const open = (chosen: [number, boolean][]) =>
      rows.map((row) => openCalls(row, (seq) => new Map(chosen).get(seq), 8));
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
  const places = seqsOf(rows).map(String);
  it.each<[string, string | null, 1 | -1, string | null]>([
    ['of nothing selected', null, 1, '1'],
    ['before nothing selected', null, -1, '10'],
    ['after a text', '1', 1, '2'],
    ['inside a sub-agent', '6', 1, '8'],
    ['before one inside a sub-agent', '8', -1, '6'],
    ['after the last', '10', 1, null],
    ['before the first', '1', -1, null],
  ])('%s', (_what, from, step, next) => {
    expect(nextPlace(places, places, from, step, false)).toBe(next);
  });
});

describe('the next match', () => {
  const places = Array.from({ length: 30 }, (_, index) => String(index + 1));
  const found = ['4', '9', '20'];
  it.each<[string, readonly string[], string | null, 1 | -1, string | null]>([
    ['without any', [], '4', 1, null],
    ['of nothing selected', found, null, 1, '4'],
    ['before nothing selected', found, null, -1, '20'],
    ['after a match', found, '4', 1, '9'],
    ['before a match', found, '9', -1, '4'],
    ['around the end', found, '20', 1, '4'],
    ['around the beginning', found, '4', -1, '20'],
    ['after a row that is no match', found, '10', 1, '20'],
    ['before a row that is no match', found, '10', -1, '9'],
    ['after a row behind the last', found, '30', 1, '4'],
  ])('%s', (_what, matches, marked, step, next) => {
    expect(nextPlace(places, matches, marked, step, true)).toBe(next);
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
