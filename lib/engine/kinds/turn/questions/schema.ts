import { z } from 'zod';

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
        answer: z
          .string()
          .trim()
          .min(1, 'Choose an answer.')
          .max(2_000)
          .meta({ description: 'The label of a choice, several in commas, or your own words.' }),
      }),
    )
    .max(10)
    .meta({ description: 'One for every part of the question.' }),
});
export type Answer = z.infer<typeof answerSchema>;
