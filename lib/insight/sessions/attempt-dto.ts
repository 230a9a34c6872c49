import { z } from 'zod';
import { LEDGER_SOURCES } from '@/lib/agents/claude/usage';
import { usdOf } from '@/lib/platform/format/money';
import { encodeId } from '@/lib/platform/ids';
import { startSpecSchema } from '@/lib/protocol/spec';
import type { AttemptWithHost, LedgerEntryRow } from './data';
import { recoveredFrom } from './recovered-from';
import { type AttemptDto, attemptSchema, type LedgerRow } from './schema';

/** The `command` event of the runner, as far as it is shown. */
const commandSchema = z.object({
  argv: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  prompt: z.string(),
  systemPrompt: z.string(),
  workDir: z.string(),
  configDir: z.string(),
});

export function toAttemptDto(row: AttemptWithHost, ledger: readonly LedgerEntryRow[]): AttemptDto {
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

export function toLedgerRow(row: LedgerEntryRow): LedgerRow {
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
    bookedAt: row.bookedAt.toISOString(),
  };
}
