import { v7 as uuidv7 } from 'uuid';
import { getChainRow } from '@/lib/engine/chains/chain-rows';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError, InvalidError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { requireId } from '@/lib/platform/ids/require-id';
import { ringRunnerQueue } from '@/lib/platform/queue/enqueue';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { requireProject } from '@/lib/projects/service/resolve-project';
import { insertConversation } from '../data';
import type { NewConversation } from '../schema';
import { titleOf } from '../title';
import { addNextTurn } from './next-turn';

/**
 * Begins a conversation about a project, or about one chain of it that has ended, with its first
 * message.
 *
 * @returns `cnv_…` and `trn_…`
 * @throws ConflictError while the chain runs
 */
export async function startConversation(
  scope: TenantScope,
  input: NewConversation,
  now = new Date(),
): Promise<{ conversationId: string; turnId: string }> {
  requireMay(scope, 'conversation.ask');
  const { conversation, turn } = await inTransaction(scope, async (db) => {
    const { projectId, chain } = await subjectOf(db, input);
    const conversation = await insertConversation(db, scope.organizationId, {
      id: uuidv7(),
      projectId,
      chainId: chain?.id ?? null,
      title: titleOf(createRedactor({ secrets: [] }).text(input.message)),
      createdBy: scope.actor.label,
      createdAt: now,
    });
    const turn = await addNextTurn(db, scope, conversation, [], input, now);
    await recordAudit(db, scope, {
      action: 'conversation.started',
      target: encodeId('cnv', conversation.id),
      projectId,
      detail: { agent: turn.agent, ...(chain ? { chain: chain.number } : {}) },
    });
    return { conversation, turn };
  });
  await ringRunnerQueue(turn.ring.queue, turn.ring.attemptId);
  return {
    conversationId: encodeId('cnv', conversation.id),
    turnId: encodeId('trn', turn.turnId),
  };
}

async function subjectOf(db: TenantDb, { project, chain: chainId }: NewConversation) {
  if (!chainId) {
    if (project) return { projectId: (await requireProject(db, project)).id, chain: null };
    throw new InvalidError('Name a project or a chain.', { project: 'Name a project or a chain.' });
  }
  const chain = await getChainRow(db, requireId('chn', chainId));
  if (project && (await requireProject(db, project)).id !== chain.projectId) {
    const message = `Chain #${chain.number} is not one of this project.`;
    throw new InvalidError(message, { chain: message });
  }
  if (chain.status !== 'ended') {
    throw new ConflictError(
      `Chain #${chain.number} is still running. Ask about it once it has ended.`,
      { chainId },
    );
  }
  return { projectId: chain.projectId, chain };
}
