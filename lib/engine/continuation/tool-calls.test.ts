import { describe, expect, it } from 'vitest';
import {
  earlierAttemptOf,
  eventLogOf,
  isOurTool,
  mayHaveActed,
  mayHaveChanged,
  type ToolCallFact,
} from './tool-calls';

const ran = { denied: false };

type Call = Omit<ToolCallFact, 'isOurs'>;
const factOf = (call: Call): ToolCallFact => ({ ...call, isOurs: isOurTool(call.tool, 'claude') });

describe('mayHaveChanged', () => {
  it.each<[string, Call, boolean]>([
    ['Read', { tool: 'Read', input: {}, result: ran }, false],
    ['Grep', { tool: 'Grep', input: {}, result: null }, false],
    ['Glob', { tool: 'Glob', input: {}, result: ran }, false],
    ['our check', { tool: 'mcp__tierwatch__check', input: { service: 'x' }, result: ran }, false],
    ['the report', { tool: 'StructuredOutput', input: {}, result: null }, false],
    ['a reading command', { tool: 'Bash', input: { command: 'ls' }, result: ran }, false],
    ['a changing command', { tool: 'Bash', input: { command: 'rm a' }, result: ran }, true],
    ['one that failed', { tool: 'Bash', input: { command: 'rm a' }, result: ran }, true],
    ['one without a result', { tool: 'Bash', input: { command: 'rm a' }, result: null }, true],
    [
      'one that was refused',
      { tool: 'Bash', input: { command: 'rm a' }, result: { denied: true } },
      false,
    ],
    ['a command that is no text', { tool: 'Bash', input: {}, result: ran }, true],
    ['Edit', { tool: 'Edit', input: {}, result: ran }, true],
    ['a tool we do not know', { tool: 'mcp__cloud__scale', input: {}, result: ran }, true],
    ['a sub-agent', { tool: 'Task', input: {}, result: ran }, true],
  ])('%s', (_title, call, expected) => {
    expect(mayHaveChanged([factOf(call)])).toBe(expected);
  });

  it('counts what the resume decision compares', () => {
    expect(
      earlierAttemptOf(
        [
          { tool: 'Read', input: {}, result: null },
          { tool: 'Bash', input: { command: 'docker restart web' }, result: ran },
          { tool: 'Edit', input: {}, result: null },
          { tool: 'mcp__cloud__scale', input: {}, result: ran },
        ].map(factOf),
      ),
    ).toEqual({ outstandingCalls: 1, unknownCalls: 1, changingCalls: 1 });
  });
});

describe('isOurTool', () => {
  it.each([
    ['mcp__tierwatch__check', 'claude', true],
    ['StructuredOutput', 'claude', true],
    ['AskUserQuestion', 'claude', false],
    ['Bash', 'claude', false],
    ['StructuredOutput', null, false],
    ['StructuredOutput', 'gull', false],
  ])('[ENG-1.2] %s of %s', (tool, harness, expected) => {
    expect(isOurTool(tool, harness)).toBe(expected);
  });
});

describe('eventLogOf', () => {
  const exited = { startError: null, exit: { code: 1, signal: null }, lastSeq: 9 };
  const vanished = { startError: null, exit: null, lastSeq: 9 };
  const failed = (code: 'missing' | 'runner_restarted', lastSeq: number) => ({
    startError: { code, message: '' },
    exit: null,
    lastSeq,
  });

  it.each<[string, ...Parameters<typeof eventLogOf>, ReturnType<typeof eventLogOf>]>([
    ['a lease that expired', 'lost', null, 'incomplete'],
    ['an exit that the runner saw', 'crashed', exited, 'complete'],
    ['a runner that was shut down', 'lost', exited, 'incomplete'],
    ['a runner that was killed while the agent ran', 'lost', vanished, 'incomplete'],
    ['a runner that was killed after the last result', 'overloaded', vanished, 'incomplete'],
    ['a program that was not found', 'start_failed', failed('missing', 1), 'not_started'],
    ['a runner killed before the start', 'lost', failed('runner_restarted', 0), 'not_started'],
    [
      'a restarted runner that has lost its own events',
      'lost',
      failed('runner_restarted', 4),
      'incomplete',
    ],
  ])('[FLT-3.2] %s', (_title, end, reported, expected) => {
    expect(eventLogOf(end, reported)).toBe(expected);
  });

  it('[FLT-3.2] only a proven missing start outweighs unknown events', () => {
    const command = 'docker restart web';
    const restart = factOf({ tool: 'Bash', input: { command }, result: ran });
    expect(mayHaveActed({ eventLog: 'incomplete', toolCalls: [] })).toBe(true);
    expect(mayHaveActed({ eventLog: 'complete', toolCalls: [] })).toBe(false);
    expect(mayHaveActed({ eventLog: 'complete', toolCalls: [restart] })).toBe(true);
    expect(mayHaveActed({ eventLog: 'not_started', toolCalls: [restart] })).toBe(false);
  });
});
