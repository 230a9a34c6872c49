import { z } from 'zod';
import { afterCommit } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { CheckType } from '@/lib/protocol/checks/kinds';
import { checkTypeSchema } from '@/lib/protocol/spec';
import type { ResultStatus } from './check-state';
import { checkDuration, checkResults } from './metrics';

interface Counted {
  /** CheckSpec, as stored. */
  spec: unknown;
  status: ResultStatus;
  /** Null where nothing was measured. */
  responseMs: number | null;
}

/** Counts results once they are committed. */
export function countResults(db: TenantDb, results: readonly Counted[]): void {
  afterCommit(db, () => {
    for (const { spec, status, responseMs } of results) {
      const kind = kindOf(spec);
      checkResults.add({ kind, result: status });
      if (responseMs !== null) checkDuration.observe({ kind }, responseMs / 1_000);
    }
  });
}

const kindSchema = z.object({ type: checkTypeSchema });

/** A kind of a later version is counted as `other`. */
function kindOf(spec: unknown): CheckType {
  return kindSchema.safeParse(spec).data?.type ?? ('other' as CheckType);
}
