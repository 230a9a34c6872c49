import { deliveryStatusSchema } from '@/lib/deliveries/outbox/schema';
import { recoveredFrom } from '@/lib/insight/sessions/recovered-from';
import { encodeId } from '@/lib/platform/ids';
import { startSpecSchema } from '@/lib/protocol/spec';
import type {
  CallRow,
  ChainDeliveryRow,
  CountedActionRow,
  WorkAttemptRow,
  WorkLedgerRow,
} from './data';
import type { ChainWork, WorkAttempt, WorkCall, WorkDelivery } from './schema';

export function toWorkAttempt(row: WorkAttemptRow, ledger: readonly WorkLedgerRow[]): WorkAttempt {
  const own = ledger.filter((entry) => entry.attemptId === row.id);
  return {
    id: encodeId('att', row.id),
    sessionId: encodeId('ses', row.sessionId),
    number: row.number,
    purpose: row.purpose === 'reconcile' ? 'reconcile' : 'tier',
    status: row.status,
    end: row.end,
    endText: row.endText,
    runner: row.runner?.name ?? null,
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    costMicros: Number(own.reduce((sum, entry) => sum + entry.costMicros, 0n)),
    isEstimate: own.some((entry) => entry.isEstimate),
    hasCost: own.length > 0,
    recovery: recoveredFrom(startSpecSchema.safeParse(row.start).data ?? null),
  };
}

export function toWorkLedger(
  rows: readonly WorkLedgerRow[],
  attempts: readonly WorkAttemptRow[],
): ChainWork['ledger'] {
  const numbers = new Map(attempts.map((attempt) => [attempt.id, attempt.number]));
  return rows.map((row) => ({
    sessionId: encodeId('ses', row.sessionId),
    attemptNumber: numbers.get(row.attemptId) ?? 0,
    tier: row.tier,
    model: row.model,
    costMicros: Number(row.costMicros),
    isEstimate: row.isEstimate,
  }));
}

export function toWorkCall(row: CallRow, counted: readonly CountedActionRow[]): WorkCall {
  return {
    sessionId: encodeId('ses', row.session_id),
    seq: row.seq,
    tool: row.tool,
    input: inputOf(row),
    isDenied: row.is_denied ?? false,
    isError: row.is_error ?? false,
    exitCode: row.exit_code,
    at: row.at.toISOString(),
    durationMs: row.ended_at ? row.ended_at.getTime() - row.at.getTime() : null,
    counted: counted
      .filter((entry) => entry.sessionId === row.session_id && entry.evidence === row.tool_use_id)
      .map(({ service, action }) => ({ service, action })),
  };
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
