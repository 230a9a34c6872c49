import { sessionKindSchema, sessionStatusSchema } from '@/lib/engine/statuses';
import { usdOf } from '@/lib/platform/format/money';
import { recordOf } from '@/lib/platform/format/record-of';
import { encodeId } from '@/lib/platform/ids';
import type {
  DecisionRow,
  HandoffRow,
  ListedSessionRow,
  RunnerChecksRow,
  SessionCost,
  SessionEventRow,
  SessionRow,
} from './data';
import { toGuards } from './guards';
import {
  contextUseSchema,
  type DecisionDto,
  decisionSchema,
  type HandoffDto,
  type ListedSession,
  type SessionEventDto,
  type SessionItem,
} from './schema';

export function toSessionItem(row: SessionRow, cost: SessionCost | undefined): SessionItem {
  return {
    ...ownOf(row, cost),
    chainId: encodeId('chn', row.chainId),
    chainNumber: row.chain.number,
  };
}

export function toListedSession(
  row: ListedSessionRow,
  cost: SessionCost | undefined,
): ListedSession {
  const { chainId, chain, turn } = row;
  return {
    ...ownOf(row, cost),
    kind: sessionKindSchema.parse(row.kind),
    chainId: chainId && encodeId('chn', chainId),
    chainNumber: chain?.number ?? null,
    conversation:
      turn?.conversation.deletedAt === null
        ? { id: encodeId('cnv', turn.conversationId), position: turn.position }
        : null,
  };
}

/** What is a session's own, whatever it belongs to. */
function ownOf(row: SessionRow | ListedSessionRow, cost: SessionCost | undefined) {
  const [child] = row.children;
  return {
    ...refOf(row),
    project: { ...row.project, id: encodeId('prj', row.project.id) },
    status: sessionStatusSchema.parse(row.status),
    statusText: row.statusText,
    model: row.model,
    mechanism: row.mechanism,
    fallback: row.isFallback,
    parentSessionId: row.parentSessionId && encodeId('ses', row.parentSessionId),
    parent: row.parent && refOf(row.parent),
    child: child ? refOf(child) : null,
    cliSessionId: row.cliSessionId,
    turns: row.turns,
    costUsd: usdOf(cost?.micros),
    isCostEstimated: cost?.isEstimated ?? false,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    durationMs:
      row.startedAt && row.endedAt ? row.endedAt.getTime() - row.startedAt.getTime() : null,
  };
}

function refOf(row: { id: string; number: number; tier: number }) {
  return { id: encodeId('ses', row.id), number: row.number, tier: row.tier };
}

/**
 * What the facts of a decision hold depends on its kind; the known parts get fields of their own.
 *
 * @param checks of the attempts around it: what their runners compared before they started
 */
export function toDecisionDto(row: DecisionRow, checks: readonly RunnerChecksRow[]): DecisionDto {
  const { guards, context, ...facts } = recordOf(row.facts) ?? {};
  const use = contextUseSchema.safeParse(context);
  return {
    id: encodeId('dec', row.id),
    sessionId: encodeId('ses', row.sessionId),
    attemptId: row.attemptId && encodeId('att', row.attemptId),
    kind: decisionSchema.shape.kind.parse(row.kind),
    verdict: row.verdict,
    reason: row.reason,
    sentence: row.sentence,
    threshold: use.success ? use.data.threshold : null,
    context: use.success ? use.data : null,
    guards: toGuards(guards, checks.find(({ attemptId }) => attemptId === row.attemptId) ?? null),
    facts,
    at: row.createdAt.toISOString(),
  };
}

export function toHandoffDto(row: HandoffRow): HandoffDto {
  return {
    fromSessionId: encodeId('ses', row.sessionId),
    toTier: row.toTier,
    source: row.source === 'file' ? 'file' : 'built',
    payload: recordOf(row.payload) ?? {},
    createdAt: row.createdAt.toISOString(),
  };
}

export function toSessionEventDto(row: SessionEventRow): SessionEventDto {
  return {
    seq: row.seq,
    attemptId: row.attemptId && encodeId('att', row.attemptId),
    kind: row.kind,
    at: row.at.toISOString(),
    isLate: row.isLate,
    payload: recordOf(row.payload) ?? {},
  };
}
