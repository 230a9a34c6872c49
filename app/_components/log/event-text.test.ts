import { expect, it } from 'vitest';
import { eventText } from './event-text';
import type { RowEvent } from './events';

const at = { seq: 1, at: '2026-11-21T14:52:00.000Z' };
const retry = { kind: 'api_retry', attempt: 2, maxRetries: 10, delayMs: 4000 } as const;
const compaction = { kind: 'compaction', trigger: 'auto', error: null } as const;
const check = { kind: 'check_result', service: 'api', type: 'http', target: 'x' } as const;

const metered = {
  kind: 'metered',
  model: 'claude-haiku-5-5',
  inputTokens: 8_000,
  outputTokens: 700,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
} as const;

const brokered = {
  kind: 'brokered',
  number: 1,
  argv: ['backup', 'now'] as string[],
  rule: 'Bash(backup:*)',
  changes: true,
  refusal: null,
} as const;
const end = { exitCode: 3, signal: null, error: null, durationMs: 9, output: '', outputBytes: 0 };

const cases: [RowEvent, string, string][] = [
  [
    { ...at, ...metered, messageId: 'msg_1', isComplete: true },
    'Model request: 8k in, 700 out',
    'plain',
  ],
  [
    { ...at, ...metered, messageId: 'msg_1', isComplete: false },
    'Model request: 8k in, 700 out, cut off',
    'wait',
  ],
  [
    { ...at, ...metered, messageId: 'unanswered', isComplete: false },
    'Model request: 8k in, 700 out, estimated: it ended without an answer',
    'wait',
  ],
  [
    { ...at, ...retry, status: 529, error: 'overloaded' },
    'Retry 2 of 10 in 4.0s (overloaded 529)',
    'wait',
  ],
  [
    { ...at, ...compaction, phase: 'finished', preTokens: 160_000, postTokens: 22_000 },
    'Compacted 160k → 22k',
    'plain',
  ],
  [
    { ...at, ...compaction, phase: 'finished', preTokens: null, postTokens: null },
    'Compacted',
    'plain',
  ],
  [
    { ...at, kind: 'process', phase: 'exited', pid: 7, code: 0, signal: null },
    'Process ended, exit 0',
    'plain',
  ],
  [
    { ...at, kind: 'process', phase: 'exited', pid: 7, code: 3, signal: null },
    'Process ended, exit 3',
    'bad',
  ],
  [
    { ...at, kind: 'process', phase: 'exited', pid: 7, code: null, signal: 'SIGKILL' },
    'Process ended by SIGKILL',
    'wait',
  ],
  [
    { ...at, ...check, status: 'healthy', error: '', responseTimeMs: 120 },
    'Check http of api: healthy, 120ms',
    'plain',
  ],
  [
    { ...at, ...check, status: 'down', error: 'connection refused', responseTimeMs: null },
    'Check http of api: down: connection refused',
    'bad',
  ],
  [
    { ...at, ...brokered, phase: 'left_running', end: null },
    'Command could not be ended and may still run: backup now. End it on the runner’s host.',
    'bad',
  ],
  [
    { ...at, ...brokered, phase: 'left_running', end },
    'Command could not be ended and may still run: backup now. Its program has ended, exit 3. End it on the runner’s host.',
    'bad',
  ],
  [
    { ...at, kind: 'model_fallback', from: 'opus', to: 'sonnet', trigger: null },
    'Model changed from opus to sonnet',
    'wait',
  ],
];

it.each(cases)('%j', (event, text, tone) => {
  expect(eventText(event)).toEqual({ text, tone });
});
