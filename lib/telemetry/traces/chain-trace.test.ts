import { describe, expect, it } from 'vitest';
import { spanIdOf } from '@/lib/engine/trace-ids';
import type {
  ApprovalFacts,
  AttemptFacts,
  ChainFacts,
  CommandFacts,
  RequestFacts,
  SessionFacts,
  ToolFacts,
} from './chain-facts';
import { chainTrace, MAX_SPANS } from './chain-trace';
import type { TraceSpan } from './span';

const AT = Date.parse('2026-11-26T12:00:00Z');
const at = (seconds: number) => new Date(AT + seconds * 1_000);
const uuid = (digit: string) => `019a0b1c-2d3e-7f40-8a5b-00000000000${digit}`;
const [CHAIN, SESSION, ATTEMPT, APPROVAL] = [uuid('1'), uuid('2'), uuid('3'), uuid('4')];

const session: SessionFacts = {
  id: SESSION,
  number: 7,
  tier: 1,
  parentSessionId: null,
  status: 'completed',
  model: 'haiku',
  mechanism: 'fresh',
  cliSessionId: 'c-1',
  createdAt: at(1),
  startedAt: at(2),
  endedAt: at(50),
  costUsd: 0.5,
};
const attempt: AttemptFacts = {
  id: ATTEMPT,
  sessionId: SESSION,
  number: 1,
  purpose: 'tier',
  end: 'completed',
  harness: 'claude',
  runner: 'host-1',
  confinement: null,
  exitCode: 0,
  claimedAt: at(2),
  startedAt: at(3),
  endedAt: at(49),
};
const tool: ToolFacts = {
  attemptId: ATTEMPT,
  toolUseId: 't1',
  tool: 'Bash',
  parentToolUseId: null,
  seq: 5,
  resultSeq: 9,
  at: at(10),
  resultAt: at(12),
  isError: false,
  isDenied: false,
};
const command: CommandFacts = {
  attemptId: ATTEMPT,
  number: 1,
  attemptSeq: 6,
  program: '/usr/bin/docker',
  mayChange: true,
  state: 'succeeded',
  refusalCode: null,
  exitCode: 0,
  signal: null,
  isApproved: false,
  requestedAt: at(10),
  endedAt: at(11),
};
const request: RequestFacts = {
  attemptId: ATTEMPT,
  messageId: 'm-1',
  model: 'claude-haiku-5',
  inputTokens: 1,
  outputTokens: 2,
  cacheReadTokens: 3,
  cacheWriteTokens: 4,
  isComplete: true,
  at: at(9),
  durationMs: 4_000,
};
const approval: ApprovalFacts = {
  id: APPROVAL,
  kind: 'command',
  status: 'approved',
  sessionId: SESSION,
  attemptId: ATTEMPT,
  commandNumber: 1,
  requestedAt: at(10),
  decidedAt: at(11),
};

function traceOf(changes: Partial<ChainFacts>) {
  const { spans, traceId } = chainTrace({
    chain: {
      id: CHAIN,
      number: 3,
      trigger: 'schedule',
      outcome: 'healthy',
      outcomeReason: 'HEALTHY',
      isDryRun: false,
      createdAt: at(0),
      endedAt: at(60),
      project: 'shop',
    },
    sessions: [session],
    attempts: [attempt],
    commands: [],
    approvals: [],
    requests: [],
    tools: [],
    isCut: false,
    ...changes,
  });
  const only = (subject: TraceSpan['subject']) => {
    const found = spans.filter((span) => span.subject === subject);
    if (found.length !== 1 || !found[0]) throw new Error(`${found.length} spans of ${subject}.`);
    return found[0];
  };
  return { spans, traceId, only };
}

describe('[INC-4.2] the trace of a chain', () => {
  it('begins with the chain, and has its number, its trigger and its outcome', () => {
    const { spans, traceId } = traceOf({});
    expect(traceId).toBe(CHAIN.replaceAll('-', ''));
    expect(spans[0]).toMatchObject({
      parentSpanId: null,
      name: 'invoke_agent shop',
      startedAt: at(0),
      endedAt: at(60),
      isError: false,
      attributes: {
        'tierwatch.chain.number': 3,
        'tierwatch.chain.trigger': 'schedule',
        'tierwatch.chain.outcome': 'healthy',
      },
    });
  });

  it.each([
    ['succeeded', { status: 'completed' }, false],
    ['failed', { status: 'failed' }, true],
    ['timed out', { status: 'timed_out' }, true],
    ['was stopped', { status: 'stopped' }, false],
  ])('a session that %s', (_what, changes, isError) => {
    const { only } = traceOf({ sessions: [{ ...session, ...changes }] });
    expect(only('session').isError).toBe(isError);
  });

  it.each([
    ['completed', 'completed', false, undefined],
    ['waits for approval', 'waiting_for_approval', false, undefined],
    ['was stopped', 'stopped', false, undefined],
    ['crashed', 'crashed', true, 'crashed'],
    ['ended in a way that this version doesn’t know', 'a new one', true, 'unknown'],
  ])('an attempt that %s', (_what, end, isError, type) => {
    const { only } = traceOf({ attempts: [{ ...attempt, end }] });
    expect(only('attempt').isError).toBe(isError);
    expect(only('attempt').attributes['error.type']).toBe(type);
  });

  it('has no span of an attempt that nobody claimed, nor of what would belong to it', () => {
    const { spans } = traceOf({
      attempts: [{ ...attempt, claimedAt: null, startedAt: null }],
      tools: [tool],
    });
    expect(spans.map(({ subject }) => subject)).toEqual(['chain', 'session']);
  });

  it('has a request from its beginning, where that was measured', () => {
    const { only } = traceOf({ requests: [request] });
    expect(only('request')).toMatchObject({ startedAt: at(5), endedAt: at(9) });
    const unknown = traceOf({ requests: [{ ...request, durationMs: null }] }).only('request');
    expect(unknown).toMatchObject({ startedAt: at(9), endedAt: at(9) });
    expect(unknown.attributes['tierwatch.duration.unknown']).toBe(true);
  });

  it('says that a request was cut off', () => {
    const { only } = traceOf({ requests: [{ ...request, isComplete: false }] });
    expect(only('request')).toMatchObject({
      isError: true,
      attributes: { 'error.type': 'cut_off' },
    });
  });

  it.each<[string, Partial<ToolFacts>, string | undefined, Date]>([
    ['succeeded', {}, undefined, at(12)],
    ['failed', { isError: true }, 'tool_error', at(12)],
    ['was denied', { isError: true, isDenied: true }, 'denied', at(12)],
    ['has no result', { resultAt: null, resultSeq: null }, undefined, at(49)],
  ])('a tool call that %s', (_what, changes, type, endedAt) => {
    const span = traceOf({ tools: [{ ...tool, ...changes }] }).only('tool');
    expect(span.attributes['error.type']).toBe(type);
    expect(span.isError).toBe(type !== undefined);
    expect(span.endedAt).toEqual(endedAt);
  });

  const inCall = spanIdOf('tool', ATTEMPT, 't1');
  const inAttempt = spanIdOf('attempt', ATTEMPT);
  const second = { ...tool, toolUseId: 't2', seq: 4 };
  it.each<[string, ToolFacts[], string]>([
    ['of the call that was under way', [tool], inCall],
    ['of the attempt when several calls were under way', [tool, second], inAttempt],
    ['of the attempt when the call came later', [{ ...tool, seq: 7 }], inAttempt],
    ['of the attempt when the call was over', [{ ...tool, resultSeq: 6 }], inAttempt],
    ['of a call that has no result', [{ ...tool, resultSeq: null }], inCall],
    [
      'of the attempt when the call was another attempt’s',
      [{ ...tool, attemptId: uuid('9') }],
      inAttempt,
    ],
  ])('a command is a part %s', (_what, tools, parent) => {
    expect(traceOf({ tools, commands: [command] }).only('command').parentSpanId).toBe(parent);
  });

  it.each<[string, Partial<CommandFacts>, string | undefined, string | undefined]>([
    ['succeeded', {}, undefined, 'allowed'],
    ['was approved', { isApproved: true }, undefined, 'approved'],
    ['failed', { state: 'failed', exitCode: 3 }, 'exit_3', 'allowed'],
    ['was killed', { state: 'failed', exitCode: null, signal: 'SIGKILL' }, 'SIGKILL', 'allowed'],
    ['was refused', { state: 'refused', refusalCode: 'no_rule' }, 'no_rule', 'denied'],
    ['never ended', { state: 'started', endedAt: null }, 'started', undefined],
  ])('a command that %s', (_what, changes, type, decision) => {
    const { attributes } = traceOf({ commands: [{ ...command, ...changes }] }).only('command');
    expect(attributes['error.type']).toBe(type);
    expect(attributes['tierwatch.command.decision']).toBe(decision);
  });

  it.each([
    ['/usr/bin/docker', 'docker'],
    ['kubectl', 'kubectl'],
    ['', 'command'],
    ['sh -c "curl https://user:secret@host"', 'command'],
    ['x'.repeat(65), 'command'],
  ])('a command is named by its program: %s', (program, name) => {
    expect(traceOf({ commands: [{ ...command, program }] }).only('command').name).toBe(name);
  });

  it.each([
    ['approved', 'person', false],
    ['refused', 'person', false],
    ['expired', 'policy', true],
    ['withdrawn', 'policy', false],
  ])('an approval that was %s was decided by %s', (status, by, isError) => {
    const { only } = traceOf({ commands: [command], approvals: [{ ...approval, status }] });
    expect(only('approval')).toMatchObject({
      isError,
      parentSpanId: only('command').spanId,
      attributes: { 'tierwatch.approval.decided_by': by },
    });
  });

  it('has the approval of a tier in its session', () => {
    const tier = { ...approval, kind: 'tier', commandNumber: null };
    const { only } = traceOf({ approvals: [tier] });
    expect(only('approval').parentSpanId).toBe(only('session').spanId);
  });

  it('never ends a span before it begins, whatever the clocks say', () => {
    const { only } = traceOf({ tools: [{ ...tool, resultAt: at(1) }] });
    expect(only('tool')).toMatchObject({ startedAt: at(10), endedAt: at(10) });
  });

  it('names tools and models without what doesn’t belong into a name', () => {
    const { only } = traceOf({
      tools: [{ ...tool, tool: 'a tool\nwith "text" and sk-ant-1' }],
      requests: [{ ...request, model: 'm'.repeat(1_000) }],
    });
    expect(only('tool').name).toBe('execute_tool a_tool_with_text_and_sk-ant-1');
    expect(only('request').name.length).toBeLessThanOrEqual(205);
  });

  it('is bounded: the latest calls are left out, their commands are not', () => {
    const tools = Array.from({ length: MAX_SPANS }, (_none, index) => ({
      ...tool,
      toolUseId: `t${index}`,
      seq: 10 + 2 * index,
      resultSeq: 11 + 2 * index,
      at: at(index / 1_000),
    }));
    const last = { ...command, attemptSeq: 10.5 + 2 * (MAX_SPANS - 1) };
    const { spans, only } = traceOf({ tools, commands: [last] });
    expect(spans).toHaveLength(MAX_SPANS);
    expect(spans[0]?.attributes['tierwatch.spans_omitted']).toBe(true);
    // Its call was left out.
    expect(only('command').parentSpanId).toBe(spans[0]?.spanId);
  });

  it('says if the stream had more than was read', () => {
    const { spans } = traceOf({ isCut: true });
    expect(spans[0]?.attributes['tierwatch.spans_omitted']).toBe(true);
  });
});
