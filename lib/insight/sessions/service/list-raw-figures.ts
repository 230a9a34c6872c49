import { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids/require-id';
import { modelUsageSchema } from '@/lib/protocol/events';
import { listReportedUsage } from '../figures/data';

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

/** Per process and model; nothing for a process that ended without a result. */
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
