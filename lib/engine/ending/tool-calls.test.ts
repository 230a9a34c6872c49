import { describe, expect, it } from 'vitest';
import type { RunnerEvent } from '@/lib/protocol/events';
import { silenceFacts, toolCallsOf } from './tool-calls';

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

it("knows the agent's report as ours, if it is known which agent it was", () => {
  const events = [call('a', 'StructuredOutput')];
  expect(toolCallsOf(events, 'claude')).toMatchObject([{ isOurs: true }]);
  expect(toolCallsOf(events, null)).toMatchObject([{ isOurs: false }]);
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
