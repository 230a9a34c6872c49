import { deliveryStatusSchema } from '@/lib/deliveries/outbox/schema';
import { chainOutcomeSchema, chainStatusSchema, currentWait } from '@/lib/engine/statuses';
import { usdOf } from '@/lib/platform/format/cost';
import { encodeId } from '@/lib/platform/ids';
import { isConfined } from '@/lib/protocol/confinement';
import { startSpecSchema } from '@/lib/protocol/spec';
import type { SessionCost, SessionRow } from '../sessions/data';
import { recoveredFrom, toSessionItem } from '../sessions/to-dto';
import type { ComparedHop } from './compare-escalations';
import type {
  CallRow,
  ChainDeliveryRow,
  ChainRow,
  CountedActionRow,
  HealthRow,
  WorkAttemptRow,
  WorkLedgerRow,
} from './data';
import type { Figure } from './escalation-value';
import { UNKNOWN_WORDS } from './escalation-words';
import {
  type ChainDetail,
  type ChainItem,
  type ChainWork,
  chainDetailSchema,
  chainItemSchema,
  type EscalationDto,
  type WorkAttempt,
  type WorkCall,
  type WorkDelivery,
} from './schema';

/** `sessions` are the chain's own, in order; `costs` may hold those of others. */
export function toChainItem(
  row: ChainRow,
  sessions: readonly SessionRow[],
  costs: ReadonlyMap<string, SessionCost>,
): ChainItem {
  const own = sessions.flatMap((session) => costs.get(session.id) ?? []);
  return {
    id: encodeId('chn', row.id),
    number: row.number,
    project: { ...row.project, id: encodeId('prj', row.project.id) },
    trigger: chainItemSchema.shape.trigger.parse(row.trigger),
    requestedBy: row.requestedBy,
    slotAt: row.slotAt?.toISOString() ?? null,
    status: chainStatusSchema.parse(row.status),
    outcome: chainOutcomeSchema.nullable().parse(row.outcome),
    outcomeReason: row.outcomeReason,
    statusText: row.statusText,
    waitReason: currentWait(row),
    summary: row.summary,
    servicesAffected: row.servicesAffected,
    startTier: row.startTier,
    highestTier: row.highestTier,
    dryRun: row.isDryRun,
    forceFresh: row.isForceFresh,
    version: row.projectVersion,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    durationMs:
      row.startedAt && row.endedAt ? row.endedAt.getTime() - row.startedAt.getTime() : null,
    stopRequest: row.stopRequestedAt && {
      at: row.stopRequestedAt.toISOString(),
      by: row.stopRequestedBy ?? '',
    },
    acknowledgement: row.acknowledgedAt && {
      at: row.acknowledgedAt.toISOString(),
      by: row.acknowledgedBy ?? '',
      note: row.acknowledgeNote ?? '',
      endsAt: row.acknowledgementEndsAt?.toISOString() ?? null,
    },
    totalCostUsd: usdOf(own.reduce((sum, cost) => sum + cost.micros, 0n)),
    isCostEstimated: own.some((cost) => cost.isEstimated),
    sessions: sessions.map((session) => toSessionItem(session, costs.get(session.id))),
  };
}

/** Returns the cost per tier, summed in micro-dollars, so that the parts add up to the total. */
export function costByTier(
  sessions: readonly SessionRow[],
  costs: ReadonlyMap<string, SessionCost>,
): ChainDetail['costByTier'] {
  const micros = new Map<number, bigint>();
  for (const session of sessions) {
    const own = costs.get(session.id)?.micros ?? 0n;
    micros.set(session.tier, (micros.get(session.tier) ?? 0n) + own);
  }
  return [...micros].map(([tier, sum]) => ({ tier, costUsd: usdOf(sum) }));
}

export function toChainServices(rows: readonly HealthRow[]): ChainDetail['services'] {
  const { status, statusBefore } = chainDetailSchema.shape.services.element.shape;
  return rows
    .toSorted((one, other) => one.service.position - other.service.position)
    .map((row) => ({
      name: row.service.name,
      status: status.parse(row.status),
      statusBefore: statusBefore.parse(row.statusBefore),
      error: row.error,
      responseTimeMs: row.responseTimeMs,
      at: row.at.toISOString(),
    }));
}

export function toWorkAttempt(row: WorkAttemptRow, ledger: readonly WorkLedgerRow[]): WorkAttempt {
  const own = ledger.filter((entry) => entry.attemptId === row.id);
  const start = startSpecSchema.safeParse(row.start).data ?? null;
  return {
    id: encodeId('att', row.id),
    sessionId: encodeId('ses', row.sessionId),
    number: row.number,
    purpose: row.purpose === 'reconcile' ? 'reconcile' : 'tier',
    status: row.status,
    end: row.end,
    endText: row.endText,
    runner: row.runner?.name ?? null,
    isUnconfined: row.startedAt !== null && !isConfined(row),
    harness: start?.harness ?? null,
    mechanism: start?.continuation.mode ?? null,
    tools: start?.tools ?? [],
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    costMicros: Number(own.reduce((sum, entry) => sum + entry.costMicros, 0n)),
    isEstimate: own.some((entry) => entry.isEstimate),
    hasCost: own.length > 0,
    recovery: recoveredFrom(start),
  };
}

export function toWorkLedger(row: WorkLedgerRow): ChainWork['ledger'][number] {
  return {
    sessionId: encodeId('ses', row.sessionId),
    attemptId: encodeId('att', row.attemptId),
    tier: row.tier,
    model: row.model,
    costMicros: Number(row.costMicros),
    isEstimate: row.isEstimate,
  };
}

export function toWorkCall(row: CallRow, counted: readonly CountedActionRow[]): WorkCall {
  return {
    sessionId: encodeId('ses', row.sessionId),
    seq: row.seq,
    tool: row.tool,
    input: inputOf(row),
    isDenied: row.isDenied ?? false,
    isError: row.isError ?? false,
    exitCode: row.exitCode,
    isLeftRunning: row.isLeftRunning,
    at: row.at.toISOString(),
    durationMs: row.endedAt ? row.endedAt.getTime() - row.at.getTime() : null,
    counted: counted
      .filter((entry) => entry.sessionId === row.sessionId && entry.evidence === row.toolUseId)
      .map(({ service, action }) => ({ service, action })),
  };
}

const MAX_REPEATED = 50;

export function toEscalationDto({ fromId, toId, value }: ComparedHop): EscalationDto {
  const { premium, saving, netMicros, calls, repeated } = value;
  return {
    fromSessionId: encodeId('ses', fromId),
    toSessionId: encodeId('ses', toId),
    premiumUsd: premium.micros === null ? null : usdOf(premium.micros),
    premiumBasis: basisOf(premium),
    savingUsd: saving.micros === null ? null : usdOf(saving.micros),
    savingBasis: basisOf(saving),
    netSavingUsd: netMicros === null ? null : usdOf(netMicros),
    toolCalls: calls,
    repeatedToolCalls: calls === null ? null : repeated.length,
    repeated: repeated.slice(0, MAX_REPEATED).map((call) => ({ ...call })),
  };
}

function basisOf(figure: Figure): string {
  if (figure.basis !== null) return figure.basis;
  const words = UNKNOWN_WORDS[figure.unknown];
  if (figure.unknown !== 'not_resumed') return `Unknown: ${words}.`;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

export function inputOf(row: CallRow): Record<string, unknown> {
  return typeof row.input === 'object' && row.input !== null ? { ...row.input } : {};
}

export function toWorkDelivery(row: ChainDeliveryRow): WorkDelivery {
  return {
    id: encodeId('dlv', row.id),
    endpointId: row.endpointId && encodeId('whk', row.endpointId),
    url: row.url,
    channel: row.channel,
    eventType: row.eventType,
    status: deliveryStatusSchema.parse(row.status),
    attempts: row.attempts,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
