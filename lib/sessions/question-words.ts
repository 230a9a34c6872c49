import { z } from 'zod';
import {
  type QuestionClosedEvent,
  type QuestionEvent,
  questionClosedEventSchema,
  questionEventSchema,
} from '@/lib/runner-protocol/events';

const OUTCOMES: Record<QuestionClosedEvent['outcome'], string> = {
  answered: 'Answered',
  expired: 'Nobody answered in time',
  cancelled: 'The question ended with the process',
};

/** What the agent asks, or what became of its question, in a line. */
export function questionWords(event: QuestionEvent | QuestionClosedEvent): string {
  if (event.kind === 'question') {
    const asked = event.questions.map(({ question, options }) => {
      const choices = options.map(({ label }) => label).join(', ');
      return choices === '' ? question : `${question} (${choices})`;
    });
    return `The agent asks: ${asked.join(' ')}`;
  }
  const said = Object.entries(event.answers ?? {}).map(([asked, answer]) => `${asked} ${answer}`);
  return said.length === 0
    ? `${OUTCOMES[event.outcome]}.`
    : `${OUTCOMES[event.outcome]}: ${said.join('; ')}`;
}

const storedSchema = z.discriminatedUnion('kind', [questionEventSchema, questionClosedEventSchema]);

/** The same of a stored event's payload; its JSON where that is of another form. */
export function storedQuestionWords(kind: string, payload: Record<string, unknown>): string {
  const parsed = storedSchema.safeParse({ ...payload, kind });
  return parsed.success ? questionWords(parsed.data) : JSON.stringify(payload);
}
