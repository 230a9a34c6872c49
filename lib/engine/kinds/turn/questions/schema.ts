import { z } from 'zod';

/** The answer to each part of a question: a label, several separated by commas, or free text. */
export const answerSchema = z.object({
  questionId: z.string(),
  answers: z
    .array(
      z.object({
        /** Text of the question. */
        question: z.string().max(2_000),
        answer: z.string().trim().min(1, 'Choose an answer.').max(2_000),
      }),
    )
    .max(10),
});
export type Answer = z.infer<typeof answerSchema>;
