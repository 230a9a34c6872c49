import type { QuestionClosedEvent, QuestionEvent } from '@/lib/protocol/events';

const OUTCOMES: Record<QuestionClosedEvent['outcome'], string> = {
  answered: 'Answered',
  expired: 'Nobody answered in time',
  cancelled: 'The question ended with the process',
};

/** Returns the agent's question, or its outcome, in one line. */
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
