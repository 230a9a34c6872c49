import { describe, expect, it } from 'vitest';
import type { SessionEventDto } from '../sessions/schema';
import { shortenEvent, shortenOutput } from './chain-log';

const event = (kind: string, payload: Record<string, unknown>): SessionEventDto => ({
  seq: 1,
  attemptId: 'att_1',
  kind,
  at: '2026-11-21T14:00:00.000Z',
  isLate: false,
  payload: { kind, ...payload },
});

describe('an event on the page of its chain', () => {
  it.each([
    ['a text stays as it is', 'text', { text: 'web is down.' }, { text: 'web is down.' }],
    ['a command line has its own page', 'command', { argv: ['claude'], prompt: 'p' }, { argv: [] }],
    ['a result holds the raw report', 'result', { text: '{"summary":""}' }, { text: '' }],
    [
      'the call that hands in the report',
      'tool_call',
      { tool: 'StructuredOutput', input: { summary: 'web is down.' } },
      { tool: 'StructuredOutput', input: {} },
    ],
    [
      'any other call',
      'tool_call',
      { tool: 'Bash', input: { command: 'ls' } },
      { tool: 'Bash', input: { command: 'ls' } },
    ],
    [
      'an output that came as a stream and once more as content',
      'tool_result',
      { stdout: 'up', stderr: null, content: 'up' },
      { stdout: 'up', stderr: null, content: '' },
    ],
    [
      'an output that came as content alone',
      'tool_result',
      { stdout: null, stderr: null, content: 'up' },
      { stdout: null, stderr: null, content: 'up' },
    ],
  ])('%s', (_name, kind, payload, expected) => {
    expect(shortenEvent(event(kind, payload)).payload).toEqual({ kind, ...expected });
  });
});

describe('an output', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

  it('of 15 lines stays whole', () => {
    const text = lines(15).join('\n');
    expect(shortenOutput(text)).toBe(text);
  });

  it('of 214 lines keeps its first 3 and last 11, and says how many are left out', () => {
    const short = String(shortenOutput(lines(214).join('\n'))).split('\n');
    expect(short).toHaveLength(15);
    expect(short.slice(0, 3)).toEqual(['line 1', 'line 2', 'line 3']);
    expect(short[3]).toBe('… 200 more lines in the session’s own log …');
    expect(short.at(-1)).toBe('line 214');
  });

  it('of one endless line is cut', () => {
    expect(shortenOutput('x'.repeat(10_000))).toBe(`${'x'.repeat(400)}…`);
  });

  it('that never came stays null', () => expect(shortenOutput(null)).toBeNull());
});
