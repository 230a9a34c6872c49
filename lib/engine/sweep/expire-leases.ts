import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { rowByRow } from '@/lib/platform/row-by-row';
import { LEASE_SECONDS } from '@/lib/protocol/schema';
import { settleLostAttempt } from '../settle';
import { findApiPresence, listExpiredLeases } from './data';

/**
 * Ends attempts whose lease has expired. Leases expire only after the runner API has answered
 * without a gap for as long as a lease lasts, so that no runner counts as lost after an outage of
 * the control plane.
 *
 * @returns how many attempts were ended
 */
export async function expireLeases(now = new Date()): Promise<number> {
  const presence = await findApiPresence();
  const ago = (at: Date) => now.getTime() - at.getTime();
  if (!presence || ago(presence.continuousSince) < LEASE_SECONDS * 1_000) return 0;
  if (ago(presence.lastAt) > LEASE_SECONDS * 1_000) return 0;
  const expired = await listExpiredLeases(now);
  return rowByRow('leases', expired, ({ organizationId, id }) =>
    settleLostAttempt(scopeOfSystem(organizationId, 'Lease watch'), id, now),
  );
}
