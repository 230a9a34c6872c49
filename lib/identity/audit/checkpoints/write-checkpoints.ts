import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { logger } from '@/lib/platform/logger';
import { findAuditHead, listAuditHeads, listAuditPoints } from '../data';
import {
  type Comparison,
  compareWithCheckpoints,
  signCheckpoint,
  signingKey,
  thinned,
} from './checkpoint';
import { keepCheckpoint, readCheckpoints } from './checkpoint-client';

/**
 * Writes a checkpoint for every audit log that has grown since its last one. A log that differs from
 * its checkpoints gets none, since that would hide the difference.
 *
 * @returns how many were written
 */
export async function writeAuditCheckpoints(now = new Date()): Promise<number> {
  let written = 0;
  for (const { organizationId } of await listAuditHeads()) {
    try {
      const scope = scopeOfSystem(organizationId, 'Audit checkpoints');
      const comparison = await compareLog(scope);
      if (comparison.state === 'differs') {
        logger.error({ organizationId, ...comparison }, 'audit log differs from its checkpoints');
      }
      if (await writeCheckpoint(scope, comparison, now)) written += 1;
    } catch (error) {
      logger.error({ organizationId, error: String(error) }, 'audit checkpoint not written');
    }
  }
  return written;
}

/** Compares the log with the checkpoints that are kept outside of the database. */
export async function compareLog(scope: TenantScope): Promise<Comparison> {
  const kept = await readCheckpoints(scope.organizationId);
  if (kept === null) return { state: 'unknown', reason: 'unreadable' };
  const compared = thinned(kept);
  const seqs = compared.flatMap((checkpoint) => checkpoint?.seq ?? []);
  const points = await inTransaction(scope, (db) => listAuditPoints(db, seqs));
  return compareWithCheckpoints(compared, new Map(points.map(({ seq, hash }) => [seq, hash])));
}

/**
 * Writes a checkpoint unless the log differs from those that there are, or hasn't grown since.
 *
 * @returns whether it was written
 */
export async function writeCheckpoint(
  scope: TenantScope,
  comparison: Comparison,
  now: Date,
): Promise<boolean> {
  if (comparison.state === 'differs') return false;
  if (comparison.state === 'unknown' && comparison.reason !== 'no_checkpoint') return false;
  const { organizationId } = scope;
  const head = await inTransaction(scope, async (db) => {
    const newest = await findAuditHead(db);
    const [entry] = newest ? await listAuditPoints(db, [newest.seq]) : [];
    return entry?.hash === newest?.hash ? newest : null;
  });
  if (!head) return false;
  if (comparison.state === 'matches' && comparison.checkpoint.seq >= head.seq) return false;
  await keepCheckpoint(
    signCheckpoint(signingKey(env().secretKey), { organizationId, ...head }, now),
  );
  return true;
}
