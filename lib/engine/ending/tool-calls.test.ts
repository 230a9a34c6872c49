import { expect, it } from 'vitest';
import type { RunnerEvent } from '@/lib/protocol/events';
import { toolCallsOf } from './tool-calls';

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
