import { z } from 'zod';

/** What came so far of the message that an agent is writing. */
export const unfinishedAnswerSchema = z.object({ messageId: z.string(), text: z.string() });
export type UnfinishedAnswer = z.infer<typeof unfinishedAnswerSchema>;

/** What is told of it to those who have seen some. */
export interface AnswerPiece extends UnfinishedAnswer {
  /** The character from which on `text` stands. */
  from: number;
}
