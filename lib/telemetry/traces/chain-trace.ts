/** Turns the rows of a chain into its trace. Prompts, arguments and contents are no part of it. */

import { ATTEMPT_ENDS } from '@/lib/agents/attempt-end';
import { findAgent } from '@/lib/agents/registry';
import { attemptOutcome, commandLabels } from '@/lib/engine/metric-labels';
import { commandStateSchema } from '@/lib/engine/statuses';
import { spanIdOf, traceIdOf } from '@/lib/engine/trace-ids';
import { encodeId } from '@/lib/platform/ids';
import type {
  ApprovalFacts,
  AttemptFacts,
  ChainFacts,
  CommandFacts,
  RequestFacts,
  SessionFacts,
  ToolFacts,
} from './chain-facts';
import {
  GEN_AI,
  OPERATIONS,
  providerOf,
  type SpanAttributes,
  type Trace,
  type TraceSpan,
} from './span';

/** Tool calls and requests beyond it are left out, the latest first. */
export const MAX_SPANS = 5_000;

const FAILED_CHAIN = ['failed', 'lost'];
const FAILED_SESSION = ['failed', 'lost', 'timed_out', 'refused'];

export function chainTrace(facts: ChainFacts): Trace {
  const work = [
    ...facts.sessions.map((session) => sessionSpan(session, facts)),
    ...facts.attempts.flatMap((attempt) => attemptSpan(attempt, facts)),
  ];
  const known = new Set(facts.attempts.filter(beganAt).map(({ id }) => id));
  const ofKnown = (row: { attemptId: string }) => known.has(row.attemptId);
  const calls = [
    ...facts.requests.filter(ofKnown).map((request) => requestSpan(request, facts)),
    ...facts.tools.filter(ofKnown).map((tool) => toolSpan(tool, facts)),
  ].toSorted((one, other) => one.startedAt.getTime() - other.startedAt.getTime());
  const decided = [
    ...facts.commands.filter(ofKnown).map((command) => commandSpan(command, facts)),
    ...facts.approvals.map((approval) => approvalSpan(approval, facts)),
  ];
  const room = Math.max(0, MAX_SPANS - 1 - work.length - decided.length);
  const isCut = facts.isCut || calls.length > room;
  const spans = [chainSpan(facts, isCut), ...work, ...calls.slice(0, room), ...decided];
  return { traceId: traceIdOf(facts.chain.id), spans: withKnownParents(spans) };
}

/** A span whose parent was left out belongs to the chain. */
function withKnownParents(spans: readonly TraceSpan[]): TraceSpan[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const [root] = spans;
  return spans.map((span) =>
    span.parentSpanId === null || ids.has(span.parentSpanId)
      ? span
      : { ...span, parentSpanId: root?.spanId ?? null },
  );
}

function chainSpan({ chain }: ChainFacts, isCut: boolean): TraceSpan {
  return span('chain', [chain.id], {
    parentSpanId: null,
    name: `${OPERATIONS.agent} ${chain.project}`,
    startedAt: chain.createdAt,
    endedAt: chain.endedAt,
    isError: FAILED_CHAIN.includes(chain.outcome ?? ''),
    attributes: {
      [GEN_AI.operation]: OPERATIONS.agent,
      [GEN_AI.agent]: chain.project,
      'tierwatch.chain.id': encodeId('chn', chain.id),
      'tierwatch.chain.number': chain.number,
      'tierwatch.chain.trigger': chain.trigger,
      'tierwatch.chain.outcome': chain.outcome ?? 'unknown',
      ...(chain.outcomeReason ? { 'tierwatch.chain.reason': chain.outcomeReason } : {}),
      'tierwatch.chain.dry_run': chain.isDryRun,
      ...(isCut ? { 'tierwatch.spans_omitted': true } : {}),
    },
  });
}

function sessionSpan(session: SessionFacts, { chain, sessions, attempts }: ChainFacts): TraceSpan {
  const parent = sessions.find(({ id }) => id === session.parentSessionId);
  const harness = attempts.find(({ sessionId }) => sessionId === session.id)?.harness ?? null;
  const agent = `tier-${session.tier}`;
  return span('session', [session.id], {
    parentSpanId: spanIdOf('chain', chain.id),
    name: `${OPERATIONS.agent} ${agent}`,
    startedAt: session.startedAt ?? session.createdAt,
    endedAt: session.endedAt ?? chain.endedAt,
    isError: FAILED_SESSION.includes(session.status),
    attributes: {
      [GEN_AI.operation]: OPERATIONS.agent,
      [GEN_AI.agent]: agent,
      ...(harness ? { [GEN_AI.provider]: providerOf(harness) } : {}),
      [GEN_AI.requestModel]: safe(session.model),
      ...(session.cliSessionId ? { [GEN_AI.conversation]: safe(session.cliSessionId) } : {}),
      'tierwatch.session.id': encodeId('ses', session.id),
      'tierwatch.session.number': session.number,
      'tierwatch.session.status': session.status,
      'tierwatch.tier': session.tier,
      'tierwatch.cost.usd': session.costUsd,
    },
    links: parent
      ? [
          {
            spanId: spanIdOf('session', parent.id),
            attributes: { 'tierwatch.link': session.mechanism ?? 'escalation' },
          },
        ]
      : [],
  });
}

/** Null for an attempt that no runner has claimed: there was nothing. */
function beganAt({ startedAt, claimedAt }: AttemptFacts): Date | null {
  return startedAt ?? claimedAt;
}

function attemptSpan(attempt: AttemptFacts, { chain }: ChainFacts): TraceSpan[] {
  const startedAt = beganAt(attempt);
  if (startedAt === null) return [];
  const end = ATTEMPT_ENDS.find((each) => each === attempt.end) ?? 'unknown';
  const outcome = attemptOutcome(end);
  const isError = !['succeeded', 'waiting_for_approval', 'canceled'].includes(outcome);
  const agent = attempt.harness ? findAgent(attempt.harness) : null;
  return [
    span('attempt', [attempt.id], {
      parentSpanId: spanIdOf('session', attempt.sessionId),
      name: agent?.program.shownName ?? 'agent',
      kind: 'client',
      startedAt,
      endedAt: attempt.endedAt ?? chain.endedAt,
      isError,
      attributes: {
        'process.executable.name': agent?.program.shownName ?? 'agent',
        ...(attempt.exitCode === null ? {} : { 'process.exit.code': attempt.exitCode }),
        'tierwatch.attempt.id': encodeId('att', attempt.id),
        'tierwatch.attempt.number': attempt.number,
        'tierwatch.attempt.purpose': attempt.purpose,
        'tierwatch.attempt.end': end,
        ...(attempt.runner ? { 'tierwatch.runner': attempt.runner } : {}),
        ...(attempt.confinement ? { 'tierwatch.confinement': attempt.confinement } : {}),
        ...(isError ? { 'error.type': end } : {}),
      },
    }),
  ];
}

function requestSpan(request: RequestFacts, { attempts }: ChainFacts): TraceSpan {
  const harness = attempts.find(({ id }) => id === request.attemptId)?.harness ?? null;
  const model = safe(request.model);
  return span('request', [request.attemptId, request.messageId], {
    parentSpanId: spanIdOf('attempt', request.attemptId),
    name: `${OPERATIONS.chat} ${model}`,
    kind: 'client',
    startedAt: new Date(request.at.getTime() - (request.durationMs ?? 0)),
    endedAt: request.at,
    isError: !request.isComplete,
    attributes: {
      [GEN_AI.operation]: OPERATIONS.chat,
      ...(harness ? { [GEN_AI.provider]: providerOf(harness) } : {}),
      [GEN_AI.responseModel]: model,
      [GEN_AI.responseId]: safe(request.messageId),
      [GEN_AI.inputTokens]: request.inputTokens,
      [GEN_AI.outputTokens]: request.outputTokens,
      [GEN_AI.cacheReadTokens]: request.cacheReadTokens,
      [GEN_AI.cacheWriteTokens]: request.cacheWriteTokens,
      ...(request.durationMs === null ? { 'tierwatch.duration.unknown': true } : {}),
      ...(request.isComplete ? {} : { 'error.type': 'cut_off' }),
    },
  });
}

function toolSpan(tool: ToolFacts, { chain, attempts }: ChainFacts): TraceSpan {
  const attempt = attempts.find(({ id }) => id === tool.attemptId);
  const name = safe(tool.tool);
  const error = tool.isDenied ? 'denied' : tool.isError ? 'tool_error' : null;
  return span('tool', [tool.attemptId, tool.toolUseId], {
    parentSpanId: tool.parentToolUseId
      ? spanIdOf('tool', tool.attemptId, tool.parentToolUseId)
      : spanIdOf('attempt', tool.attemptId),
    name: `${OPERATIONS.tool} ${name}`,
    startedAt: tool.at,
    endedAt: tool.resultAt ?? attempt?.endedAt ?? chain.endedAt,
    isError: error !== null,
    attributes: {
      [GEN_AI.operation]: OPERATIONS.tool,
      [GEN_AI.tool]: name,
      [GEN_AI.toolCall]: safe(tool.toolUseId),
      ...(tool.resultAt === null ? { 'tierwatch.result.missing': true } : {}),
      ...(error ? { 'error.type': error } : {}),
    },
  });
}

function commandSpan(command: CommandFacts, { chain, attempts, tools }: ChainFacts): TraceSpan {
  const attempt = attempts.find(({ id }) => id === command.attemptId);
  const program = programName(command.program);
  const state = commandStateSchema.parse(command.state);
  const labels = commandLabels({ ...command, state });
  const error = commandError(command);
  const call = callAround(command, tools);
  return span('command', [command.attemptId, command.number], {
    parentSpanId: call
      ? spanIdOf('tool', call.attemptId, call.toolUseId)
      : spanIdOf('attempt', command.attemptId),
    name: program,
    kind: 'client',
    startedAt: command.requestedAt,
    endedAt: command.endedAt ?? attempt?.endedAt ?? chain.endedAt,
    isError: error !== null,
    attributes: {
      'process.executable.name': program,
      ...(command.exitCode === null ? {} : { 'process.exit.code': command.exitCode }),
      'tierwatch.command.number': command.number,
      'tierwatch.command.state': command.state,
      'tierwatch.command.may_change': command.mayChange,
      ...(labels ? { 'tierwatch.command.decision': labels.decision } : {}),
      ...(error ? { 'error.type': error } : {}),
    },
  });
}

function commandError({ state, refusalCode, exitCode, signal }: CommandFacts): string | null {
  if (state === 'succeeded') return null;
  if (state === 'refused') return safe(refusalCode ?? 'refused');
  if (state !== 'failed') return state;
  return signal === null ? `exit_${exitCode ?? 'unknown'}` : safe(signal);
}

/**
 * Returns the call of a tool during which a command was requested; null if several were under way, since
 * the broker doesn't know for which of them it was.
 */
function callAround(command: CommandFacts, tools: readonly ToolFacts[]): ToolFacts | null {
  const open = tools.filter(
    ({ attemptId, seq, resultSeq }) =>
      attemptId === command.attemptId &&
      seq < command.attemptSeq &&
      (resultSeq === null || resultSeq > command.attemptSeq),
  );
  return open.length === 1 ? (open[0] ?? null) : null;
}

function approvalSpan(approval: ApprovalFacts, { chain, commands }: ChainFacts): TraceSpan {
  const { attemptId, commandNumber: number } = approval;
  const command = commands.find((each) => each.attemptId === attemptId && each.number === number);
  const byPerson = approval.status === 'approved' || approval.status === 'refused';
  return span('approval', [approval.id], {
    parentSpanId: command
      ? spanIdOf('command', command.attemptId, command.number)
      : spanIdOf('session', approval.sessionId),
    name: 'approval',
    startedAt: approval.requestedAt,
    endedAt: approval.decidedAt ?? chain.endedAt,
    isError: approval.status === 'expired',
    attributes: {
      'tierwatch.approval.id': encodeId('apr', approval.id),
      'tierwatch.approval.kind': approval.kind,
      'tierwatch.approval.decision': approval.status,
      'tierwatch.approval.decided_by': byPerson ? 'person' : 'policy',
      ...(approval.status === 'expired' ? { 'error.type': 'expired' } : {}),
    },
  });
}

type Given = Pick<TraceSpan, 'parentSpanId' | 'name' | 'startedAt' | 'endedAt' | 'isError'> & {
  attributes: SpanAttributes;
  kind?: TraceSpan['kind'];
  links?: TraceSpan['links'];
};

function span(
  subject: TraceSpan['subject'],
  key: readonly (string | number)[],
  { kind = 'internal', links = [], ...given }: Given,
): TraceSpan {
  const { startedAt } = given;
  // Clocks differ between hosts, and nothing ends before it begins.
  const endedAt = new Date(Math.max(given.endedAt.getTime(), startedAt.getTime()));
  return { subject, spanId: spanIdOf(subject, ...key), ...given, kind, links, endedAt };
}

const MAX_NAME = 200;

/** A name that an agent or a runner has chosen, without what doesn't belong into one. */
function safe(text: string): string {
  return text.replace(/[^\w.:@/+-]+/g, '_').slice(0, MAX_NAME) || 'unknown';
}

/** `docker` for `/usr/bin/docker`. What doesn't look like a program may be an argument. */
function programName(program: string): string {
  const name = program.split('/').at(-1) ?? '';
  return /^[\w.+-]{1,64}$/.test(name) ? name : 'command';
}
