import { z } from 'zod';
import { questionClosedEventSchema, questionEventSchema } from '@/lib/protocol/events';
import { questionWords } from './question-words';

const storedSchema = z.discriminatedUnion('kind', [questionEventSchema, questionClosedEventSchema]);

/** The same of a stored event's payload; its JSON where that is of another form. */
export function storedQuestionWords(kind: string, payload: Record<string, unknown>): string {
  const parsed = storedSchema.safeParse({ ...payload, kind });
  return parsed.success ? questionWords(parsed.data) : JSON.stringify(payload);
}
