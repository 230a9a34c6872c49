import { z } from 'zod';

/** The part of the message that an agent is writing that has arrived and may be shown. */
const unfinishedAnswerSchema = z.object({ messageId: z.string(), text: z.string() });
export type UnfinishedAnswer = z.infer<typeof unfinishedAnswerSchema>;

/** The same, as it is kept with the attempt. */
export const keptUnfinishedSchema = unfinishedAnswerSchema.extend({
  /** A piece could not be shown, so none after it can: the message comes whole when it is done. */
  isCut: z.boolean().optional(),
});
export type KeptUnfinished = z.infer<typeof keptUnfinishedSchema>;

/** The next piece of an answer, for a reader who has the text up to `from`. */
export interface AnswerPiece extends UnfinishedAnswer {
  /** The character from which on `text` stands. */
  from: number;
}

/** Returns the unfinished answer; null where there is none, or where its text must not be shown. */
export function shownUnfinished(stored: unknown): UnfinishedAnswer | null {
  const answer = unfinishedAnswerSchema.nullable().parse(stored);
  return answer?.text ? answer : null;
}
