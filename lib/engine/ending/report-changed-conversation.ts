import { recordAudit } from '@/lib/identity/audit/record-audit';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { recordNotices } from '../events/notices';
import type { ConversationRows } from './data';
import type { EndPlan } from './end-plan';

/**
 * Records that a stored conversation isn't the one that its process wrote: a critical event of the
 * session, and an audit entry with what the runner expected and found.
 */
export async function reportChangedConversation(
  db: TenantDb,
  scope: TenantScope,
  { session, chain, facts }: ConversationRows & { chain: { id: string } | null },
  plan: EndPlan,
  now: Date,
): Promise<void> {
  if (plan.classified.end !== 'transcript_changed') return;
  const { continuation } = facts.attempt.start ?? {};
  const about = { projectId: session.projectId, chainId: chain?.id ?? null, sessionId: session.id };
  const message = plan.classified.happened;
  recordNotices(db, [{ ...about, level: 'critical', code: 'CONVERSATION_CHANGED', message }], now);
  await recordAudit(db, scope, {
    action: 'security.conversation_changed',
    target: encodeId('ses', session.id),
    projectId: session.projectId,
    detail: {
      runner: facts.runnerName,
      cliSessionId: continuation?.mode === 'resume' ? continuation.parentCliSessionId : null,
      expected: continuation?.mode === 'resume' ? (continuation.transcript ?? null) : null,
      found: facts.result.startError?.message ?? null,
    },
  });
}
