import { z } from 'zod';

/** The part of an unfinished message that has arrived and may be shown. */
const unfinishedAnswerSchema = z.object({ messageId: z.string(), text: z.string() });
export type UnfinishedAnswer = z.infer<typeof unfinishedAnswerSchema>;

/** The unfinished answer as it is stored with the attempt. */
export const keptUnfinishedSchema = unfinishedAnswerSchema.extend({
  /** A piece could not be shown, so no later one can. The message appears when it is complete. */
  isCut: z.boolean().optional(),
});
export type KeptUnfinished = z.infer<typeof keptUnfinishedSchema>;

/** The next piece of an answer, for a reader who has the text up to `from`. */
export interface AnswerPiece extends UnfinishedAnswer {
  /** Position of `text` in the message, in characters. */
  from: number;
}

/** Returns the unfinished answer; null if there is none, or if its text must not be shown. */
export function shownUnfinished(stored: unknown): UnfinishedAnswer | null {
  const answer = unfinishedAnswerSchema.nullable().parse(stored);
  return answer?.text ? answer : null;
}
