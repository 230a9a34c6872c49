import { describe, expect, it } from 'vitest';
import { appendEvents, emptyLog, type LogRow, type RequestRow, type StoredEvent } from './events';

const START = Date.parse('2026-11-21T14:52:00.000Z');

function at(seq: number): string {
  return new Date(START + seq * 1000).toISOString();
}

function text(seq: number, messageId: string | null, words: string, parent: string | null = null) {
  return {
    seq,
    at: at(seq),
    kind: 'text',
    messageId,
    text: words,
    parentToolUseId: parent,
  } satisfies StoredEvent;
}

function call(seq: number, messageId: string, toolUseId: string, parent: string | null = null) {
  return {
    seq,
    at: at(seq),
    kind: 'tool_call',
    messageId,
    toolUseId,
    tool: 'Bash',
    input: { command: 'docker ps' },
    parentToolUseId: parent,
  } satisfies StoredEvent;
}

function result(
  seq: number,
  toolUseId: string,
  end: { isError?: boolean; denied?: boolean } = {},
): StoredEvent {
  return {
    seq,
    at: at(seq),
    kind: 'tool_result',
    toolUseId,
    isError: end.isError ?? false,
    denied: end.denied ?? false,
    content: 'ok',
    stdout: 'ok',
    stderr: '',
    exitCode: 0,
    cutBytes: 0,
  };
}

function stderr(seq: number): StoredEvent {
  return { seq, at: at(seq), kind: 'stderr', text: 'warning' };
}

function usage(seq: number, messageId: string): StoredEvent {
  return {
    seq,
    at: at(seq),
    kind: 'request_usage',
    messageId,
    model: 'sonnet',
    inputTokens: 10,
    outputTokens: 2,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    final: true,
  };
}

function requestsOf(rows: readonly LogRow[]): RequestRow[] {
  return rows.filter((row) => row.type === 'request');
}

/** A row in short: its kind, and for a request what is in it. */
function shape(rows: readonly LogRow[]): string[] {
  return rows.map((row) =>
    row.type === 'request'
      ? `request ${row.number}: ${row.items.map((item) => item.type).join(' ')}`
      : row.type === 'missing'
        ? `missing ${row.seq}-${row.lastSeq}`
        : row.event.kind,
  );
}

describe('grouping by model request', () => {
  const cases: { name: string; events: StoredEvent[]; rows: string[] }[] = [
    {
      name: 'text and calls of one message are one group',
      events: [text(1, 'm1', 'Looking.'), call(2, 'm1', 't1'), result(3, 't1')],
      rows: ['request 1: text call'],
    },
    {
      name: 'another message is another group',
      events: [text(1, 'm1', 'One.'), text(2, 'm2', 'Two.')],
      rows: ['request 1: text', 'request 2: text'],
    },
    {
      name: 'a group continues after its first call was answered',
      events: [call(1, 'm1', 't1'), result(2, 't1'), call(3, 'm1', 't2'), result(4, 't2')],
      rows: ['request 1: call call'],
    },
    {
      name: 'texts without a message are never joined',
      events: [text(1, null, 'One.'), text(2, null, 'Two.')],
      rows: ['request 1: text', 'request 2: text'],
    },
    {
      name: 'blank text leaves nothing',
      events: [text(1, 'm1', '\n ')],
      rows: [],
    },
    {
      name: 'what isn’t a request keeps its place between them',
      events: [text(1, 'm1', 'One.'), stderr(2), text(3, 'm2', 'Two.')],
      rows: ['request 1: text', 'stderr', 'request 2: text'],
    },
    {
      name: 'a result without its call is a row of its own',
      events: [result(900, 't0')],
      rows: ['tool_result'],
    },
    {
      name: 'a gap is a row that names the missing events',
      events: [text(811, 'm1', 'One.'), text(821, 'm2', 'Two.')],
      rows: ['request 1: text', 'missing 812-820', 'request 2: text'],
    },
    {
      name: 'events repeated after a reconnect are not taken twice',
      events: [stderr(1), stderr(2), stderr(1), stderr(2), stderr(3)],
      rows: ['stderr', 'stderr', 'stderr'],
    },
  ];

  it.each(cases)('$name', ({ events, rows }) => {
    expect(shape(appendEvents(emptyLog, events).rows)).toEqual(rows);
  });

  it('puts what a sub-agent does under the call that started it', () => {
    const { rows } = appendEvents(emptyLog, [
      call(1, 'm1', 'task'),
      text(2, 's1', 'Inside.', 'task'),
      call(3, 's1', 'inner', 'task'),
      result(4, 'inner'),
      result(5, 'task'),
    ]);
    const outer = requestsOf(rows)[0]?.items[0];
    expect(shape(rows)).toEqual(['request 1: call']);
    if (outer?.type !== 'call') throw new Error('expected a call');
    expect(outer.result?.seq).toBe(5);
    expect(outer.items.map((item) => item.type)).toEqual(['text', 'call']);
    expect(outer.items[1]).toMatchObject({ toolUseId: 'inner', result: { seq: 4 } });
  });

  it('books usage on its own request, and knows when the request was sent', () => {
    const { rows } = appendEvents(emptyLog, [
      call(1, 'm1', 't1'),
      usage(2, 'm1'),
      result(3, 't1'),
      text(5, 'm2', 'Done.'),
    ]);
    const [first, , second] = [requestsOf(rows)[0], null, requestsOf(rows)[1]];
    expect(first?.usage?.inputTokens).toBe(10);
    expect(second?.usage).toBeNull();
    expect(second?.sentAt).toBe(at(3));
    expect(second?.answeredAt).toBe(at(5));
  });
});

it('counts calls, denials and errors apart', () => {
  const { counts } = appendEvents(emptyLog, [
    call(1, 'm1', 't1'),
    call(2, 'm1', 't2'),
    call(3, 'm1', 't3'),
    result(4, 't1'),
    result(5, 't2', { isError: true, denied: true }),
    result(6, 't3', { isError: true }),
  ]);
  expect(counts).toEqual({ calls: 3, denied: 1, errors: 1 });
});

it('gives the same in batches as at once, and keeps rows that did not change', () => {
  const events = [
    text(1, 'm1', 'One.'),
    text(2, 'm2', 'Two.'),
    call(3, 'm2', 't1'),
    result(4, 't1'),
  ];
  const early = appendEvents(emptyLog, events.slice(0, 3));
  const late = appendEvents(early, events.slice(3));
  expect(late).toEqual(appendEvents(emptyLog, events));
  expect(late.rows[0]).toBe(early.rows[0]);
  expect(late.rows[1]).not.toBe(early.rows[1]);
});
