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
