import { z } from 'zod';
import type { AttemptRow } from '@/lib/engine/attempt/data';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError, InvalidError, NotFoundError } from '@/lib/platform/errors';
import { requireId } from '@/lib/platform/ids';
import { notifyRunner } from '@/lib/platform/live/hint';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import {
  questionAnswersSchema,
  questionEventSchema,
  type RunnerEvent,
} from '@/lib/protocol/events';
import { getTurnOfSession } from './data';
import { closeQuestion, lockQuestion, storeQuestion, writeAnswers } from './questions-data';

/** The answer to each part of a question: a label, several separated by commas, or free text. */
export const answerSchema = z.object({
  questionId: z.string().meta({ description: 'Id of the question, `qst_…`.' }),
  answers: z
    .array(
      z.object({
        question: z
          .string()
          .max(2_000)
          .meta({ description: 'The text of the part, as it was asked.' }),
        answer: z.string().trim().min(1, 'Choose an answer.').max(2_000).meta({
          description: 'The label of a choice, several labels separated by commas, or free text.',
        }),
      }),
    )
    .max(10)
    .meta({ description: 'One for every part of the question.' }),
});
type Answer = z.infer<typeof answerSchema>;

export const storedQuestionsSchema = questionEventSchema.shape.questions;

/**
 * Returns the answers to a stored question, under the header of each part, without the questions.
 */
export function decidedOf(row: {
  questions: unknown;
  answers: unknown;
}): { header: string; answer: string }[] {
  const stored = z
    .object({ questions: storedQuestionsSchema, answers: questionAnswersSchema })
    .safeParse(row);
  if (!stored.success) return [];
  const { questions, answers } = stored.data;
  return questions.flatMap(({ question, header }) => {
    const answer = answers[question];
    return answer === undefined ? [] : [{ header, answer }];
  });
}

/**
 * Answers a question of the agent, once. Its process waits for the answer.
 *
 * @throws ConflictError if it was answered, or if no process is waiting for it
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
    const question = turn && (await lockQuestion(db, { id, turnId: turn.id }));
    if (!turn || !question) throw new NotFoundError();
    requireOpen(question);
    const given = checkedAnswers(storedQuestionsSchema.parse(question.questions), answers);
    await writeAnswers(db, id, given, { label: scope.actor.label, at: now });
    await notifyRunnerOf(db, question.attemptId);
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

async function notifyRunnerOf(db: TenantDb, attemptId: string): Promise<void> {
  const attempt = await db.attempt.findFirst({
    where: { id: attemptId },
    select: { runnerId: true },
  });
  if (attempt?.runnerId) await notifyRunner(db, attempt.runnerId);
}

/** Stores the questions among new events of an attempt, and their outcome. */
export async function keepQuestions(
  db: TenantDb,
  attempt: AttemptRow,
  events: readonly { at: string; event: RunnerEvent }[],
): Promise<void> {
  for (const { at, event } of events) {
    if (event.kind === 'question') {
      const turn = await getTurnOfSession(db, attempt.sessionId);
      const asking = { ...attempt, attemptId: attempt.id };
      if (turn) await storeQuestion(db, asking, turn.id, event, new Date(at));
    }
    if (event.kind === 'question_closed') {
      await closeQuestion(db, attempt.id, event, new Date(at));
    }
  }
}
