import { describe, expect, it } from 'vitest';
import { appendEvents, emptyLog, type StoredEvent } from '@/app/_components/log/events';
import { answerAmong, withoutAnswer, workRows } from './work-rows';

const at = '2026-11-22T10:00:00Z';
const text = (seq: number, words: string, messageId: string): StoredEvent => ({
  kind: 'text',
  seq,
  at,
  text: words,
  messageId,
  parentToolUseId: null,
});
const call = (seq: number, messageId: string, tool = 'Bash'): StoredEvent => ({
  kind: 'tool_call',
  seq,
  at,
  messageId,
  parentToolUseId: null,
  toolUseId: `use-${seq}`,
  tool,
  input: { command: 'uptime' },
});
const question = (seq: number, toolUseId: string): StoredEvent => ({
  ...{ kind: 'question', seq, at, toolUseId, requestId: `r-${seq}`, questions: [] },
});
const rowsOf = (...events: StoredEvent[]) => appendEvents(emptyLog, events).rows;
const textsOf = (rows: ReturnType<typeof rowsOf>) =>
  rows.flatMap((row) =>
    row.type === 'request'
      ? row.items.map((item) => (item.type === 'text' ? item.text : item.tool))
      : [row.type === 'event' ? row.event.kind : row.type],
  );

describe('what the agent did', () => {
  it('leaves out the answer, and keeps what was said before a call', () => {
    const rows = rowsOf(text(1, 'Let me look.', 'm1'), call(2, 'm1'), text(3, 'All well.', 'm2'));
    expect(textsOf(withoutAnswer(rows))).toEqual(['Let me look.', 'Bash']);
  });

  it('keeps everything of a turn that ended before it answered', () => {
    const rows = rowsOf(text(1, 'Let me look.', 'm1'), call(2, 'm1'));
    expect(textsOf(withoutAnswer(rows))).toEqual(['Let me look.', 'Bash']);
    expect(withoutAnswer([])).toEqual([]);
  });

  it('knows the answer, and what is left of one', () => {
    expect(answerAmong(rowsOf(text(1, 'Let me look.', 'm1'), call(2, 'm1')))).toBeNull();
    const said = rowsOf(text(1, 'Let me look.', 'm1'), call(2, 'm1'), text(3, 'All well.', 'm2'));
    expect(answerAmong(said)).toMatchObject({ text: 'All well.' });
    const part: StoredEvent = { kind: 'answer_part', seq: 2, at, messageId: 'm2', text: 'All ' };
    const left = rowsOf(text(1, 'Hm.', 'm1'), part);
    expect(answerAmong(left)).toMatchObject({ text: 'All ', isUnfinished: true });
    expect(textsOf(withoutAnswer(left))).toEqual(['Hm.']);
    // It came after all, from a runner that had been away.
    expect(textsOf(rowsOf(part, text(3, 'All well.', 'm2')))).toEqual(['All well.']);
    // Another process continued from there.
    expect(answerAmong(rowsOf(part, call(3, 'm3')))).toBeNull();
  });

  it('leaves out the call of a question, which the page draws with its choices', () => {
    const rows = rowsOf(
      call(1, 'm1', 'AskUserQuestion'),
      question(2, 'use-1'),
      text(3, 'Then web.', 'm2'),
      call(4, 'm2', 'ask.people'),
      question(5, 'use-4'),
      call(6, 'm2'),
    );
    expect(textsOf(workRows(rows))).toEqual(['Then web.', 'Bash']);
  });

  it('shows trouble, and not the comings and goings of processes', () => {
    const rows = rowsOf(
      { kind: 'process', seq: 1, at, phase: 'started', pid: 7, code: null, signal: null },
      { kind: 'notice', seq: 2, at, level: 'info', code: 'OK_RESUME', message: 'Resumed.' },
      { kind: 'notice', seq: 3, at, level: 'warning', code: 'SLOW', message: 'Slow.' },
      text(4, 'Hello.', 'm1'),
    );
    expect(textsOf(workRows(rows))).toEqual(['notice', 'Hello.']);
  });
});
