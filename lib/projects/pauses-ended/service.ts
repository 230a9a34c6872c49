import type { AuditAction } from '@/lib/identity/audit/actions';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { notifyRunner } from '@/lib/platform/live/notify';
import { rowByRow } from '@/lib/platform/row-by-row';
import { type EndedPause, endPause, listEndedPauses } from './data';

const RESUMED: Record<EndedPause['kind'], { action: AuditAction; prefix: 'org' | 'prj' | 'rnr' }> =
  {
    organization: { action: 'organization.resumed', prefix: 'org' },
    project: { action: 'project.resumed', prefix: 'prj' },
    tier: { action: 'tier.resumed', prefix: 'prj' },
    runner: { action: 'runner.resumed', prefix: 'rnr' },
  };

/**
 * Takes away every pause whose end has come, so that whatever asks finds either a pause or none.
 *
 * @returns how many ended
 */
export async function endPauses(now = new Date()): Promise<number> {
  const ended = await listEndedPauses(now);
  return rowByRow('pauses', ended, (pause) => {
    const scope = scopeOfSystem(pause.organizationId, 'Pause clock');
    return inTransaction(scope, async (db) => {
      if (!(await endPause(db, pause, now))) return;
      if (pause.kind === 'runner') await notifyRunner(db, pause.id);
      const { action, prefix } = RESUMED[pause.kind];
      const { name, tier } = pause;
      await recordAudit(db, scope, {
        action,
        target: encodeId(prefix, pause.id),
        detail: { name, ...(tier === null ? {} : { tier }), reason: 'Its end has come.' },
      });
    });
  });
}
