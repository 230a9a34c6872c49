import { recordAudit } from '@/lib/identity/audit/record-audit';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { recordNotices } from '../events/notices';
import { type Refusal, refusalSentence } from './refusals';

interface Origin {
  projectId: string;
  chainId: string | null;
  sessionId: string;
  tier: number;
}

/**
 * Says on the session's stream, in the feed and in the audit log that a refusal held back a command or a start,
 * once for each session and refusal.
 */
export async function noteRefused(
  db: TenantDb,
  scope: TenantScope,
  { projectId, chainId, sessionId, tier }: Origin,
  refusal: Refusal,
  now: Date,
): Promise<void> {
  const code = 'REFUSAL_HELD';
  const what = refusal.argv === null ? 'was not started' : 'was not allowed a command';
  const message = `Tier ${tier} ${what}: ${refusalSentence(refusal)}`;
  const isNoted = await db.projectEvent.count({ where: { sessionId, code, message } });
  if (isNoted > 0) return;
  recordNotices(db, [{ projectId, chainId, sessionId, level: 'warning', code, message }], now);
  await recordAudit(db, scope, {
    action: 'approval.enforced',
    target: encodeId('apr', refusal.id),
    projectId,
    detail: { tier, session: encodeId('ses', sessionId) },
  });
}
