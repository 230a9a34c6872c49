import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError, InvalidError, NotFoundError } from '@/lib/platform/errors';
import { requireId } from '@/lib/platform/ids';
import { notifyRunner } from '@/lib/platform/live/notify';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { lockQuestion, writeAnswers } from './data';
import { storedQuestionsSchema } from './decided';
import type { Answer } from './schema';

/**
 * Answers a question of the agent, once. Its process waits for the answer.
 *
 * @throws ConflictError if it was answered, or if no process waits for it any more
 */
export async function answerQuestion(
  scope: TenantScope,
  conversationId: string,
  turnId: string,
  { questionId, answers }: Answer,
  now = new Date(),
): Promise<void> {
  requireMay(scope, 'conversation.ask');
  const where = { id: requireId('trn', turnId), conversationId: requireId('cnv', conversationId) };
  const id = requireId('qst', questionId);
  await inTransaction(scope, async (db) => {
    const turn = await db.turn.findFirst({ where });
    const question =
      turn && (await lockQuestion(db, scope.organizationId, { id, turnId: turn.id }));
    if (!turn || !question) throw new NotFoundError();
    requireOpen(question);
    const given = checkedAnswers(storedQuestionsSchema.parse(question.questions), answers);
    await writeAnswers(db, id, given, { label: scope.actor.label, at: now });
    await tellRunner(db, question.attemptId);
    await recordAudit(db, scope, {
      action: 'conversation.answered',
      target: conversationId,
      projectId: turn.projectId,
      detail: { position: turn.position },
    });
  });
}

function requireOpen({ status, answeredBy }: { status: string; answeredBy: string | null }): void {
  if (status === 'open') return;
  throw new ConflictError(
    status === 'answered'
      ? `${answeredBy ?? 'Someone'} has answered this already.`
      : 'The agent no longer waits for this answer. Send it as a message.',
  );
}

/**
 * Returns the redacted answers by question.
 *
 * @throws InvalidError unless they cover every part of the question once, and nothing else
 */
function checkedAnswers(
  questions: readonly { question: string }[],
  answers: Answer['answers'],
): Record<string, string> {
  const { text } = createRedactor({ secrets: [] });
  const asked = questions.map(({ question }) => question);
  const given = answers.map(({ question }) => question);
  const isWhole = asked.every((question) => given.includes(question));
  const isOther = given.some((question) => !asked.includes(question));
  if (!isWhole || isOther || new Set(given).size !== given.length) {
    const message = `Answer each of these once: ${asked.join(' · ')}`;
    throw new InvalidError(message, { answers: message });
  }
  return Object.fromEntries(answers.map(({ question, answer }) => [question, text(answer)]));
}

async function tellRunner(db: TenantDb, attemptId: string): Promise<void> {
  const attempt = await db.attempt.findFirst({
    where: { id: attemptId },
    select: { runnerId: true },
  });
  if (attempt?.runnerId) await notifyRunner(db, attempt.runnerId);
}
