import { forEachRowIsolated } from '@/lib/platform/db/batches';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import type { AuditAction } from '../audit/actions';
import { recordAudit } from '../audit/record-audit';
import { scopeOfSystem } from '../tenancy/make-scope';

/** Maximum number of expired pauses per sweep; the next sweep handles the rest. */
export const ENDED_PAUSES_PER_SWEEP = 500;

export interface EndedPause {
  organizationId: string;
  /** UUID of what is paused; for a tier, of its project. */
  id: string;
  name: string;
  /** Set for the pause of a tier. */
  tier?: number;
}

/** The audit action that ends such a pause, and the prefix of the ID that the entry names. */
interface Resumption {
  action: AuditAction;
  prefix: 'org' | 'prj' | 'rnr';
}

/**
 * Ends pauses whose time is over, each in a transaction of its own with its audit entry.
 *
 * @param end ends one pause; false if someone has resumed it, or paused it again, in between
 * @returns how many pauses were dealt with
 */
export function endPausesInTurn<Pause extends EndedPause>(
  { action, prefix }: Resumption,
  ended: readonly Pause[],
  end: (db: TenantDb, pause: Pause) => Promise<boolean>,
): Promise<number> {
  return forEachRowIsolated('pauses', ended, (pause) => {
    const scope = scopeOfSystem(pause.organizationId, 'Pause clock');
    return inTransaction(scope, async (db) => {
      if (!(await end(db, pause))) return;
      const { id, name, tier } = pause;
      await recordAudit(db, scope, {
        action,
        target: encodeId(prefix, id),
        detail: {
          name,
          ...(tier === undefined ? {} : { tier }),
          reason: 'Its end time was reached.',
        },
      });
    });
  });
}
