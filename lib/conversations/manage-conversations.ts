import { v7 as uuidv7 } from 'uuid';
import { getChainRow } from '@/lib/engine/chains/chain-rows';
import { eraseTurns } from '@/lib/engine/kinds/turn/erase-turns';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError, InvalidError } from '@/lib/platform/errors';
import { forgetAnswers } from '@/lib/platform/http/idempotency';
import { encodeId, requireId } from '@/lib/platform/ids';
import { enqueueAttempt } from '@/lib/platform/queue/enqueue';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { requireProject } from '@/lib/projects/manage-project';
import { insertConversation, lockConversation, markDeleted } from './data';
import { MAX_TITLE_CHARS } from './limits';
import type { NewConversation } from './schema';
import { addNextTurn } from './turns';

/**
 * Starts a conversation about a project, or about one of its ended chains, with its first message.
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
    const conversation = await insertConversation(db, {
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
  await enqueueAttempt(turn.job.queue, turn.job.attemptId);
  return {
    conversationId: encodeId('cnv', conversation.id),
    turnId: encodeId('trn', turn.turnId),
  };
}

async function subjectOf(db: TenantDb, { project, chain: chainId }: NewConversation) {
  if (!chainId) {
    if (project) return { projectId: (await requireProject(db, project)).id, chain: null };
    throw new InvalidError('Give a project or a chain.', { project: 'Give a project or a chain.' });
  }
  const chain = await getChainRow(db, requireId('chn', chainId));
  if (project && (await requireProject(db, project)).id !== chain.projectId) {
    const message = `Chain #${chain.number} belongs to another project.`;
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

/** Throws NotFoundError. */
export async function renameConversation(
  scope: TenantScope,
  conversationId: string,
  input: { title: string },
): Promise<void> {
  requireMay(scope, 'conversation.ask');
  const id = requireId('cnv', conversationId);
  await inTransaction(scope, async (db) => {
    const conversation = await lockConversation(db, id);
    const title = titleOf(createRedactor({ secrets: [] }).text(input.title));
    if (title === conversation.title) return;
    await db.conversation.updateMany({ where: { id }, data: { title } });
    await recordAudit(db, scope, {
      action: 'conversation.renamed',
      target: conversationId,
      projectId: conversation.projectId,
      // Not its words: they could not be deleted from here.
      detail: {},
    });
  });
}

/**
 * Deletes the messages, answers, tool results and logs of a conversation. Its costs stay, and the
 * audit log records who deleted it.
 *
 * @throws ConflictError while a turn of it runs
 */
export async function deleteConversation(
  scope: TenantScope,
  conversationId: string,
  now = new Date(),
): Promise<void> {
  requireMay(scope, 'conversation.delete');
  const id = requireId('cnv', conversationId);
  await inTransaction(scope, async (db) => {
    const conversation = await lockConversation(db, id);
    const turns = await eraseTurns(db, scope, id, now);
    await markDeleted(db, id, { at: now, label: scope.actor.label });
    await forgetAnswers(db, `/api/v1/conversations/${conversationId}`);
    await recordAudit(db, scope, {
      action: 'conversation.deleted',
      target: conversationId,
      projectId: conversation.projectId,
      detail: { turns },
    });
  });
}

/** The beginning of the first message, on one line. */
function titleOf(message: string): string {
  const line = message.trim().replace(/\s+/g, ' ');
  if (line.length <= MAX_TITLE_CHARS) return line;
  return `${line
    .slice(0, MAX_TITLE_CHARS - 1)
    .toWellFormed()
    .trimEnd()}…`;
}
