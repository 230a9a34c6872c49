import '../subscriptions';
import { askApproval } from '@/lib/engine/approvals/ask-approval';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { DEFAULT_APPROVALS } from '@/lib/projects/approval-settings';

/** The digest of every approval that a command of this test's agent asks for. */
const COMMAND_DIGEST = 'a'.repeat(64);

/** A command of the newest attempt of a chain waits for approval. Returns `apr_…` and its digest. */
export async function seedApproval(
  scope: TenantScope,
  now = new Date(),
): Promise<{ approvalId: string; approvalDigest: string }> {
  return inTransaction(scope, async (db) => {
    const attempt = await db.attempt.findFirstOrThrow({
      where: { session: { chainId: { not: null } } },
      orderBy: { id: 'desc' },
      include: { session: true },
    });
    const runner = await db.runner.findFirstOrThrow({});
    const { id } = await askApproval(
      db,
      scope,
      {
        kind: 'command',
        projectId: attempt.projectId,
        chainId: attempt.session.chainId ?? '',
        sessionId: attempt.sessionId,
        attemptId: attempt.id,
        tier: 2,
        runnerId: runner.id,
        commandNumber: 1,
        argv: ['docker', 'restart', 'web'],
        cwd: '/project',
        files: [],
        commandDigest: COMMAND_DIGEST,
        services: ['web'],
        rule: 'Bash(docker restart {service})',
        reason: 'web doesn’t answer.',
        requester: null,
      },
      DEFAULT_APPROVALS,
      now,
    );
    const { digest } = await db.approval.findFirstOrThrow({ where: { id } });
    return { approvalId: encodeId('apr', id), approvalDigest: digest };
  });
}
