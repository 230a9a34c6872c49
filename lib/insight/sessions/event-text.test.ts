import { expect, it } from 'vitest';
import { eventText } from './write-log';

const event = (kind: string, payload: Record<string, unknown>) =>
  eventText({
    seq: 7,
    attemptId: null,
    kind,
    at: '2026-11-21T14:00:00.000Z',
    isLate: false,
    payload: { kind, ...payload },
  });
const head = '2026-11-21T14:00:00.000Z 7';

it.each([
  ['text', { text: 'one\ntwo\n' }, `${head} text one\n    two\n`],
  [
    'tool_call',
    { tool: 'Bash', input: { command: 'ls' } },
    `${head} tool_call Bash {"command":"ls"}\n`,
  ],
  [
    'tool_result',
    { exitCode: 1, stdout: 'a\n', stderr: 'b', content: '' },
    `${head} tool_result exit 1\n    a\n    \n    stderr:\n    b\n`,
  ],
  [
    'tool_result',
    { exitCode: null, denied: true, stdout: null, content: 'no' },
    `${head} tool_result denied\n    no\n`,
  ],
  ['notice', { level: 'info', code: 'X', message: 'm' }, `${head} notice info X m\n`],
  [
    'question_closed',
    { requestId: 'r', outcome: 'answered', answers: { 'Which?': 'web', 'When?': 'now' } },
    `${head} question_closed Answered: Which? web; When? now\n`,
  ],
  [
    'question_closed',
    { requestId: 'r', outcome: 'expired', answers: null },
    `${head} question_closed Nobody answered in time.\n`,
  ],
  ['process', { phase: 'started', pid: 4 }, `${head} process {"phase":"started","pid":4}\n`],
])('writes %s', (kind, payload, text) => {
  expect(event(kind, payload)).toBe(text);
});

it('[SEC-3.4] shows what would act on a terminal that the file is printed to', () => {
  const hostile = '\u001b]0;owned\u0007\u202egpj.exe\rok \u009b2J';
  const shown = '␛]0;owned␇<U+202E>gpj.exe␍ok <U+009B>2J';
  expect(event('text', { text: hostile })).toBe(`${head} text ${shown}\n`);
  expect(event('tool_result', { exitCode: 0, stdout: hostile, stderr: '', content: '' })).toContain(
    shown,
  );
  expect(event('tool_call', { tool: hostile, input: { command: hostile } })).not.toMatch(
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/,
  );
});
