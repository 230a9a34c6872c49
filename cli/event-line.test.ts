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

  const command = { number: 1, argv: ['docker', 'restart', 'web'], rule: null, changes: true };
  const end = { exitCode: 0, signal: null, error: null, durationMs: 1, output: '', outputBytes: 0 };

  it.each([
    [
      { phase: 'refused', refusal: { code: 'cooldown', message: 'web was restarted twice.' } },
      '  not run: docker restart web: web was restarted twice.',
    ],
    [{ phase: 'started' }, '  about to run: docker restart web'],
    [{ phase: 'started', changes: false }, null],
    [{ phase: 'ended', end }, '  ran (exit 0): docker restart web'],
    [
      { phase: 'ended', end: { ...end, exitCode: null, signal: 'SIGKILL' } },
      '  ran (SIGKILL): docker restart web',
    ],
    [
      { phase: 'ended', end: { ...end, exitCode: null, error: 'ENOENT' } },
      '  not started: docker restart web: ENOENT',
    ],
    [{ phase: 'left_running' }, '  could not be ended, and may still run: docker restart web'],
  ])('[BND-4.5] of a command that was %o', (changes, line) => {
    const payload = { ...command, refusal: null, end: null, ...changes };
    expect(eventLine({ kind: 'brokered', payload })).toBe(line);
  });
});
