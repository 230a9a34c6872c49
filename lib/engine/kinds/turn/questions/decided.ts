import { z } from 'zod';
import { questionAnswersSchema, questionEventSchema } from '@/lib/protocol/events';

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
