import { z } from 'zod';
import { LEDGER_SOURCES } from '@/lib/agents/booking';
import { recordOf } from '@/lib/platform/db/raw';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { usdOf } from '@/lib/platform/format/cost';
import { encodeId, requireId } from '@/lib/platform/ids';
import { requireProject } from '@/lib/projects/manage-project';
import { confinementStateSchema } from '@/lib/protocol/confinement';
import { modelUsageSchema } from '@/lib/protocol/figures';
import { startSpecSchema } from '@/lib/protocol/spec';
import {
  type AttemptWithHost,
  costsOfSessions,
  getSessionRow,
  type LedgerEntryRow,
  listAttemptRows,
  listDecisionRows,
  listHandoffRows,
  listLedgerRows,
  listReportedUsage,
  listRunnerChecks,
  listSessionsOfChains,
} from './data';
import { type AttemptDto, attemptSchema, type LedgerRow, type SessionDetail } from './schema';
import { attemptSealOf, recoveredFrom, toDecisionDto, toHandoffDto, toSessionItem } from './to-dto';

/** `ses_…`, or the project's id or slug and the number that people use. */
type SessionReference = string | { project: string; number: number };

/** Returns everything about a session, in a fixed number of queries. */
export function getSession(
  scope: TenantScope,
  reference: SessionReference,
  now = new Date(),
): Promise<SessionDetail> {
  return inTransaction(scope, async (db) => {
    const row = await getSessionRow(
      db,
      typeof reference === 'string'
        ? { id: requireId('ses', reference) }
        : {
            projectId: (await requireProject(db, reference.project)).id,
            number: reference.number,
          },
    );
    const attempts = await listAttemptRows(db, row.id);
    const ledger = await listLedgerRows(db, row.id);
    const checks = await listRunnerChecks(db, { sessionId: row.id });
    const decisions = (await listDecisionRows(db, { sessionId: row.id })).map((decision) =>
      toDecisionDto(decision, checks),
    );
    const handoffs = await listHandoffRows(db, {
      sessionId: { in: [row.id, row.parentSessionId ?? row.id] },
    });
    const siblings = await listSessionsOfChains(db, [row.chainId]);
    const costs = await costsOfSessions(db, siblings);
    const given = handoffs.find((handoff) => handoff.sessionId === row.id);
    const received = handoffs.find((handoff) => handoff.sessionId === row.parentSessionId);
    const chainMicros = [...costs.values()].reduce((sum, cost) => sum + cost.micros, 0n);
    return {
      ...toSessionItem(row, costs.get(row.id)),
      chainStatus: row.chain.status,
      chainOutcome: row.chain.outcome,
      discardedAt: row.discardedAt?.toISOString() ?? null,
      discardedBy: row.discardedBy,
      version: row.projectVersion,
      attempts: attempts.map((attempt) => toAttemptDto(attempt, ledger, now)),
      ledger: ledger.map(toLedgerRow),
      decision: decisions.findLast((decision) => decision.kind === 'continuation') ?? null,
      decisions,
      report: recordOf(row.report),
      handoff: given ? toHandoffDto(given) : null,
      receivedHandoff: received ? toHandoffDto(received) : null,
      contextUse: contextUseOf(attempts),
      chainSessions: siblings.map((sibling) => toSessionItem(sibling, costs.get(sibling.id))),
      chainCostUsd: usdOf(chainMicros),
      lastSeq: row.lastSeq,
    };
  });
}

/** Of the last attempt that said it. */
function contextUseOf(
  attempts: readonly { contextTokens: number | null; contextWindow: number | null }[],
): SessionDetail['contextUse'] {
  const last = attempts.findLast((attempt) => attempt.contextTokens !== null);
  if (!last || last.contextTokens === null) return null;
  return {
    usedTokens: last.contextTokens,
    windowTokens: last.contextWindow,
    share: last.contextWindow ? last.contextTokens / last.contextWindow : null,
  };
}

/** What a process said it used, before what its parent conversation had reported was taken off. */
export interface RawFigure {
  attemptNumber: number;
  model: string;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  /** Micro-dollars, as the CLI computed them; null where it reported no cost that can be. */
  reportedMicros: number | null;
  /** Micro-dollars in the ledger. */
  bookedMicros: number;
}

const usagesSchema = z.record(z.string(), modelUsageSchema);

/** Returns raw figures per process and model; none for a process that ended without a result. */
export function listRawFigures(scope: TenantScope, sessionId: string): Promise<RawFigure[]> {
  const id = requireId('ses', sessionId);
  return inTransaction(scope, async (db) => {
    const attempts = await listReportedUsage(db, id);
    return attempts.flatMap(({ number, reportedUsage, ledger }) => {
      const usages = usagesSchema.safeParse(reportedUsage);
      if (!usages.success) return [];
      return Object.entries(usages.data).map(([model, usage]) => ({
        attemptNumber: number,
        model,
        inputTokens: usage.inputTokens,
        outputTokens: usage.outputTokens,
        cacheReadTokens: usage.cacheReadTokens,
        cacheWriteTokens: usage.cacheWriteTokens,
        reportedMicros: usage.costUsd === null ? null : Math.round(usage.costUsd * 1_000_000),
        bookedMicros: Number(
          ledger
            .filter((entry) => entry.model === model)
            .reduce((sum, entry) => sum + entry.costMicros, 0n),
        ),
      }));
    });
  });
}

/** The `command` event of the runner, as far as it is shown. */
const commandSchema = z.object({
  argv: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  prompt: z.string(),
  systemPrompt: z.string(),
  workDir: z.string(),
  configDir: z.string(),
  // Absent from runners that have no sandbox.
  confinement: confinementStateSchema.default('none'),
});

function toAttemptDto(
  row: AttemptWithHost,
  ledger: readonly LedgerEntryRow[],
  now: Date,
): AttemptDto {
  const start = startSpecSchema.safeParse(row.start).data ?? null;
  const command = commandSchema.safeParse(row.command).data ?? null;
  const spent = ledger
    .filter((entry) => entry.attemptId === row.id)
    .reduce((sum, entry) => sum + entry.costMicros, 0n);
  const { purpose, status } = attemptSchema.shape;
  return {
    id: encodeId('att', row.id),
    number: row.number,
    purpose: purpose.parse(row.purpose),
    status: status.parse(row.status),
    harness: start?.harness ?? null,
    mechanism: start?.continuation.mode ?? null,
    parentCliSessionId:
      start?.continuation.mode === 'resume' ? start.continuation.parentCliSessionId : null,
    cliSessionId: row.confirmedCliSessionId,
    cliVersion: row.cliVersion,
    runner: row.runner && { id: encodeId('rnr', row.runner.id), name: row.runner.name },
    runnerPool: row.pool.name,
    argv: command?.argv ?? null,
    command: command && {
      argv: command.argv,
      env: command.env,
      workDir: command.workDir,
      configDir: command.configDir,
      confinement: command.confinement,
    },
    envNames: Object.keys(command?.env ?? {}).sort(),
    prompt: command?.prompt ?? start?.prompt ?? null,
    systemPrompt: command?.systemPrompt ?? start?.systemPrompt ?? null,
    recovery: recoveredFrom(start),
    checkpointRequestedAt: row.checkpointRequestedAt?.toISOString() ?? null,
    tools: start?.tools ?? [],
    allowedTools: start?.allowedRules ?? [],
    disallowedTools: start?.disallowedRules ?? [],
    exit: row.end
      ? { kind: row.end, text: row.endText, code: row.exitCode, signal: row.exitSignal }
      : null,
    seal: attemptSealOf(row, now),
    turns: row.turns,
    contextTokens: row.contextTokens,
    contextWindow: row.contextWindow,
    isResultLate: row.isResultLate,
    stopCause: row.stopCause,
    queuedAt: row.queuedAt.toISOString(),
    claimedAt: row.claimedAt?.toISOString() ?? null,
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    costUsd: usdOf(spent),
  };
}

function toLedgerRow(row: LedgerEntryRow): LedgerRow {
  return {
    attemptId: encodeId('att', row.attemptId),
    tier: row.tier,
    model: row.model,
    inputTokens: Number(row.inputTokens),
    outputTokens: Number(row.outputTokens),
    cacheReadTokens: Number(row.cacheReadTokens),
    cacheWriteTokens: Number(row.cacheWriteTokens),
    costUsd: usdOf(row.costMicros),
    source: z.enum(LEDGER_SOURCES).parse(row.source),
    isEstimate: row.isEstimate,
    priceTable: row.priceTable,
    claimed: row.claimed as LedgerRow['claimed'],
    bookedAt: row.bookedAt.toISOString(),
  };
}
