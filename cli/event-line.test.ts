import { describe, expect, it } from 'vitest';
import { eventLine } from './event-line';

describe('eventLine', () => {
  it.each([
    ['text', { text: 'All \u001b[1mwell' }, 'All ␛[1mwell'],
    ['tool_call', { tool: 'Bash', input: { command: 'docker ps' } }, '$ docker ps'],
    ['tool_call', { tool: 'Read', input: { file: '/x' } }, '> Read {"file":"/x"}'],
    ['tool_result', { content: 'a\nb\n', exitCode: 0 }, '  done (exit 0): a\n  b'],
    ['tool_result', { content: 'no', denied: true }, '  refused: no'],
    ['notice', { message: 'Falling back.' }, '! Falling back.'],
    [
      'check_result',
      { service: 'api', type: 'tcp', status: 'healthy', error: '' },
      '  check api tcp: healthy',
    ],
    [
      'question',
      {
        requestId: 'r',
        toolUseId: null,
        questions: [
          {
            question: 'Which?',
            header: 'Service',
            multiSelect: false,
            options: [{ label: 'web', description: '' }],
          },
        ],
      },
      '? The agent asks: Which? (web)',
    ],
    ['request_usage', { inputTokens: 1 }, null],
  ])('of %s %o', (kind, payload, line) => {
    expect(eventLine({ kind, payload })).toBe(line);
  });
});
