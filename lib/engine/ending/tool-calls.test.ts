import { describe, expect, it } from 'vitest';
import type { RunnerEvent } from '@/lib/protocol/events';
import { earlierAttemptOf, mayHaveChanged } from '../continuation/tool-calls';
import { sessionToolCalls, silenceFacts, toolCallsOf } from './tool-calls';

const call = (toolUseId: string, tool = 'Bash'): RunnerEvent => ({
  kind: 'tool_call',
  messageId: null,
  toolUseId,
  tool,
  input: { command: toolUseId },
  parentToolUseId: null,
});
const result = (toolUseId: string, denied = false): RunnerEvent => ({
  kind: 'tool_result',
  toolUseId,
  isError: false,
  denied,
  content: '',
  stdout: null,
  stderr: null,
  exitCode: null,
  cutBytes: 0,
});

it('returns the calls in their order, each with its own result', () => {
  const events = [call('a'), call('b'), call('c'), result('c', true), result('a')];
  expect(toolCallsOf(events, 'claude')).toEqual([
    { tool: 'Bash', isOurs: false, input: { command: 'a' }, result: { denied: false } },
    { tool: 'Bash', isOurs: false, input: { command: 'b' }, result: null },
    { tool: 'Bash', isOurs: false, input: { command: 'c' }, result: { denied: true } },
  ]);
});

it('[BND-2.8] knows no result of a command that may still run', () => {
  const command = {
    kind: 'brokered',
    number: 1,
    argv: ['x'] as string[],
    rule: 'Bash(x)',
    changes: true,
  } as const;
  const [started, left] = (['started', 'left_running'] as const).map(
    (phase): RunnerEvent => ({ ...command, phase, refusal: null, end: null }),
  );
  if (!started || !left) throw new Error('Two events.');
  expect(toolCallsOf([started, left], 'claude')).toMatchObject([{ result: null }]);
});

it("knows the agent's report as ours, if it is known which agent it was", () => {
  const events = [call('a', 'StructuredOutput')];
  expect(toolCallsOf(events, 'claude')).toMatchObject([{ isOurs: true }]);
  expect(toolCallsOf(events, null)).toMatchObject([{ isOurs: false }]);
});

describe('the calls of a confined agent', () => {
  const started: RunnerEvent = {
    kind: 'brokered',
    phase: 'started',
    number: 1,
    argv: ['docker', 'restart', 'web'],
    rule: 'Bash(docker restart {service})',
    refusal: null,
    changes: true,
    end: null,
  };
  const end = { exitCode: 0, signal: null, error: null, durationMs: 1, output: '', outputBytes: 0 };
  const confined = { kind: 'command', confinement: 'confined' } as unknown as RunnerEvent;
  const open = { kind: 'command', confinement: 'none' } as unknown as RunnerEvent;
  const made = [call('touch x'), result('touch x')];

  it.each<[string, RunnerEvent[], boolean]>([
    ['a shell of its own changes nothing outside', [confined, ...made], false],
    ['the same unconfined may have', [open, ...made], true],
    ['the same of a runner without sandboxes may have', made, true],
    ['a command that was started may have run', [confined, started], true],
    [
      'one that reads has changed nothing',
      [
        confined,
        { ...started, changes: false },
        { ...started, changes: false, phase: 'ended', end },
      ],
      false,
    ],
    ['one that ended has run', [confined, started, { ...started, phase: 'ended', end }], true],
    [
      'one that could not be ended has run',
      [confined, started, { ...started, phase: 'left_running' }],
      true,
    ],
    [
      'one that was refused after all has not',
      [confined, started, { ...started, phase: 'refused' }],
      false,
    ],
    ['one that was refused at once has not', [confined, { ...started, phase: 'refused' }], false],
    ['a file that it wrote is a change', [confined, call('x', 'Write'), result('x')], true],
  ])('[BND-2.4] %s', (_what, events, expected) => {
    expect(mayHaveChanged(toolCallsOf(events, 'claude'))).toBe(expected);
  });

  it('[BND-2.4] an intent without an end is outstanding', () => {
    const calls = toolCallsOf([confined, started], 'claude');
    expect(earlierAttemptOf(calls)).toMatchObject({ outstandingCalls: 1, changingCalls: 0 });
  });

  it('judges each attempt of a session by its own confinement', () => {
    const rows = [
      { attemptId: 'one', event: confined },
      { attemptId: 'two', event: open },
      ...made.map((event) => ({ attemptId: 'two', event })),
    ];
    expect(mayHaveChanged(sessionToolCalls(rows, 'claude'))).toBe(true);
    const swapped = rows.map((row) => ({
      ...row,
      attemptId: row.attemptId === 'one' ? 'two' : 'one',
    }));
    expect(mayHaveChanged(sessionToolCalls(swapped, 'claude'))).toBe(true);
    const own = [rows[0], ...made.map((event) => ({ attemptId: 'one', event }))];
    const present = own.flatMap((row) => row ?? []);
    expect(mayHaveChanged(sessionToolCalls(present, 'claude'))).toBe(false);
  });
});

type Classified = Parameters<typeof silenceFacts>[0];
type Attempt = Parameters<typeof silenceFacts>[1];

const SILENT: Classified = { end: 'stalled', pointer: 'kept', isCallInterrupted: false };
const ATTEMPT: Attempt = {
  isContinuation: false,
  events: [],
  harness: 'claude',
  reported: { startError: null, exit: { code: null, signal: 'SIGTERM' }, lastSeq: 3 },
  earlier: [],
};
const facts = (attempt: Partial<Attempt> = {}, classified: Partial<Classified> = {}) =>
  silenceFacts({ ...SILENT, ...classified }, { ...ATTEMPT, ...attempt });
const crashed = { end: 'crashed', isContinuation: false } as const;

describe('[ENG-5.5] the facts about a silence', () => {
  it.each([
    ['kept', true],
    ['retired', false],
    ['none', false],
  ] as const)('a pointer that is %s: a conversation: %s', (pointer, hasConversation) => {
    expect(facts({}, { pointer }).hasConversation).toBe(hasConversation);
  });

  it.each<[boolean, Partial<Attempt>]>([
    [false, { earlier: [crashed] }],
    [true, { isContinuation: true }],
    [true, { earlier: [{ ...crashed, isContinuation: true }, crashed] }],
  ])('continued before: %s for %j', (hasContinued, attempt) => {
    expect(facts(attempt).hasContinued).toBe(hasContinued);
  });

  it.each<[boolean, Partial<Attempt>]>([
    [false, { earlier: [crashed, { ...crashed, end: null }] }],
    [true, { earlier: [{ ...crashed, end: 'stalled' }, crashed] }],
  ])('silent before: %s for %j', (wasSilentBefore, attempt) => {
    expect(facts(attempt).wasSilentBefore).toBe(wasSilentBefore);
  });

  it('knows how much was seen, and whether a call was interrupted', () => {
    expect(facts()).toMatchObject({ eventLog: 'complete', isCallInterrupted: false });
    expect(facts({ reported: null }).eventLog).toBe('incomplete');
    expect(facts({}, { isCallInterrupted: true }).isCallInterrupted).toBe(true);
  });
});
