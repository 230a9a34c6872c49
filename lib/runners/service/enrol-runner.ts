import { poolQueue, runnerQueue } from '@/lib/attempts/data';
import { recordAudit } from '@/lib/audit/data';
import { hashToken, mintToken } from '@/lib/crypto/tokens';
import { inTransaction } from '@/lib/db/tenant-db';
import { ConflictError, UnauthenticatedError } from '@/lib/errors';
import { encodeId } from '@/lib/ids';
import { listQueuesForRunners } from '@/lib/queue/runner-queues';
import type { EnrolRequest, EnrolResponse } from '@/lib/runner-protocol/schema';
import { scopeOfEnrolmentToken } from '@/lib/tenancy/make-scope';
import { insertRunner } from '../data';

/** Makes a runner from a one-time token. Its key is in the answer and nowhere else. */
export async function enrolRunner(request: EnrolRequest, now = new Date()): Promise<EnrolResponse> {
  const { scope, tokenId } = await scopeOfEnrolmentToken(request.token, now);
  const key = mintToken('rnk');
  const enrolled = await inTransaction(scope, async (db) => {
    const used = await db.enrolmentToken.updateMany({
      where: { id: tokenId, usedAt: null, expiresAt: { gt: now } },
      data: { usedAt: now },
    });
    if (used.count === 0) throw new UnauthenticatedError('The enrolment token was used already.');
    const token = await db.enrolmentToken.findFirstOrThrow({
      where: { id: tokenId },
      include: { pool: true },
    });
    const taken = await db.runner.findFirst({ where: { name: request.name } });
    if (taken) {
      throw new ConflictError(
        `A runner named ${request.name} is enrolled already. Choose another name.`,
      );
    }
    const runnerId = await insertRunner(db, scope.organizationId, {
      poolId: token.poolId,
      name: request.name,
      keyHash: hashToken(key),
      allowedTiers: token.allowedTiers,
    });
    await recordAudit(db, scope, {
      action: 'runner.enrolled',
      target: encodeId('rnr', runnerId),
      detail: { name: request.name, pool: token.pool.name, allowedTiers: token.allowedTiers },
    });
    return {
      runnerId: encodeId('rnr', runnerId),
      key,
      pool: token.pool.name,
      queues: [poolQueue(token.poolId), runnerQueue(runnerId)],
    };
  });
  // Only this installation's own hosts hold the queue login; it sees the queues that are listed.
  await listQueuesForRunners(enrolled.queues);
  return enrolled;
}
