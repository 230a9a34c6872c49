import { startConversation } from '@/lib/conversations/manage-conversations';
import { toJson } from '@/lib/platform/db/raw';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId, requireId } from '@/lib/platform/ids';

export interface OpenQuestion {
  conversationId: string;
  turnId: string;
  questionId: string;
}

/** A conversation whose first turn waits for an answer to what its agent asks. */
export async function openQuestion(scope: TenantScope, project: string): Promise<OpenQuestion> {
  const begun = await startConversation(scope, { project, message: 'Why?', forceFresh: false });
  const { conversationId, turnId } = begun;
  const { organizationId } = scope;
  const question = await inTransaction(scope, async (db) => {
    const turn = await db.turn.findFirstOrThrow({ where: { id: requireId('trn', turnId) } });
    const attempt = await db.attempt.findFirstOrThrow({ where: { sessionId: turn.sessionId } });
    return db.question.create({
      data: {
        organizationId,
        projectId: turn.projectId,
        turnId: turn.id,
        attemptId: attempt.id,
        requestId: 'request-1',
        questions: toJson([
          { question: 'Which service?', header: 'Service', multiSelect: false, options: [] },
        ]),
        askedAt: new Date(),
      },
    });
  });
  return { conversationId, turnId, questionId: encodeId('qst', question.id) };
}
