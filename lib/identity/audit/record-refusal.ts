import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { Client } from '@/lib/platform/http/client-address';
import { logger } from '@/lib/platform/logger';
import { isWithinLimit, REFUSALS_RECORDED } from '@/lib/platform/rate-limits';
import { scopeOfSystem } from '../tenancy/make-scope';
import type { Refusal } from '../tenancy/refused-token';
import { recordAudit } from './record-audit';

/**
 * Records a refused token in its organization's audit log, once an hour for each: a forgotten client
 * keeps sending it.
 */
export async function recordRefusal(refusal: Refusal, client: Client): Promise<void> {
  const { organizationId, action, target, name, reason } = refusal;
  logger.info({ action, target, reason, ...client }, 'token refused');
  if (!(await isWithinLimit(REFUSALS_RECORDED, target))) return;
  const scope = scopeOfSystem(organizationId);
  await inTransaction(scope, (db) =>
    recordAudit(db, scope, { action, target, detail: { name, reason, ...client } }),
  );
}
