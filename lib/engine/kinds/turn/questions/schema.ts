import { z } from 'zod';

/** Of every part of a question: a label, several in commas, or a person's own words. */
export const answerSchema = z.object({
  questionId: z.string(),
  answers: z
    .array(
      z.object({
        /** Its text, as it was asked. */
        question: z.string().max(2_000),
        answer: z.string().trim().min(1, 'Choose an answer.').max(2_000),
      }),
    )
    .max(10),
});
export type Answer = z.infer<typeof answerSchema>;
