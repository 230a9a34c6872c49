import type { SessionCost, SessionRow } from '@/lib/insight/sessions/data';
import { toSessionItem } from '@/lib/insight/sessions/to-dto';
import { usdOf } from '@/lib/platform/format/money';
import { encodeId } from '@/lib/platform/ids';
import type { ChainRow, HealthRow } from './data';
import {
  type ChainDetail,
  type ChainItem,
  chainDetailSchema,
  chainItemSchema,
  chainOutcomeSchema,
  chainStatusSchema,
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

/** Summed in micro-dollars per tier, so that the parts add up to the whole. */
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
