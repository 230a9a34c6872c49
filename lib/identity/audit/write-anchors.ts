import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { logger } from '@/lib/platform/logger';
import {
  type Comparison,
  compareWithAnchors,
  keepAnchor,
  readAnchors,
  signAnchor,
  signingKey,
  thinned,
} from './anchor';
import { findAuditHead, listAuditHeads, listAuditPoints } from './data';

/**
 * Writes an anchor for every audit log that has grown since its last one. A log that differs from
 * its anchors gets none, since that would hide the difference.
 *
 * @returns how many were written
 */
export async function writeAuditAnchors(now = new Date()): Promise<number> {
  let written = 0;
  for (const { organizationId } of await listAuditHeads()) {
    try {
      const scope = scopeOfSystem(organizationId, 'Audit anchors');
      const comparison = await compareLog(scope);
      if (comparison.state === 'differs') {
        logger.error({ organizationId, ...comparison }, 'audit log differs from its anchors');
      }
      if (await writeAnchor(scope, comparison, now)) written += 1;
    } catch (error) {
      logger.error({ organizationId, error: String(error) }, 'audit anchor not written');
    }
  }
  return written;
}

/** Compares the log with the anchors that are kept outside of the database. */
export async function compareLog(scope: TenantScope): Promise<Comparison> {
  const kept = await readAnchors(scope.organizationId);
  if (kept === null) return { state: 'unknown', reason: 'unreadable' };
  const compared = thinned(kept);
  const seqs = compared.flatMap((anchor) => anchor?.seq ?? []);
  const points = await inTransaction(scope, (db) => listAuditPoints(db, seqs));
  return compareWithAnchors(compared, new Map(points.map(({ seq, hash }) => [seq, hash])));
}

/**
 * Writes an anchor unless the log differs from those that there are, or hasn't grown since.
 *
 * @returns whether it was written
 */
export async function writeAnchor(
  scope: TenantScope,
  comparison: Comparison,
  now: Date,
): Promise<boolean> {
  if (comparison.state === 'differs') return false;
  if (comparison.state === 'unknown' && comparison.reason !== 'no_anchor') return false;
  const { organizationId } = scope;
  const head = await inTransaction(scope, async (db) => {
    const newest = await findAuditHead(db);
    const [entry] = newest ? await listAuditPoints(db, [newest.seq]) : [];
    return entry?.hash === newest?.hash ? newest : null;
  });
  if (!head) return false;
  if (comparison.state === 'matches' && comparison.anchor.seq >= head.seq) return false;
  await keepAnchor(signAnchor(signingKey(env().secretKey), { organizationId, ...head }, now));
  return true;
}
