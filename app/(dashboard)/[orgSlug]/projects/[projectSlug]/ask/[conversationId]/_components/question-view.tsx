import { MessageCircleQuestionMark } from 'lucide-react';
import { Time } from '@/app/_components/status/time';
import { SafeText } from '@/app/_components/ui/safe-text';
import type { QuestionDto } from '@/lib/conversations/schema';

interface QuestionViewProps {
  question: QuestionDto;
  /** Who may answer, for those who may not. */
  refusal: string | null;
}

/** What the agent asked, and how it was decided, or why it was not. */
export function QuestionView({ question, refusal }: QuestionViewProps) {
  const { questions, answers, status } = question;
  return (
    <section
      aria-label="The agent’s question"
      className="flex flex-col gap-2 rounded-card border border-line px-3 py-2.5"
    >
      {questions.map((asked) => (
        <div key={asked.question} className="flex max-w-prose items-start gap-2">
          <MessageCircleQuestionMark aria-hidden className="mt-0.5 size-4 shrink-0 text-text-3" />
          <div className="min-w-0">
            <p className="[overflow-wrap:anywhere]">
              <SafeText text={asked.question} />
            </p>
            {status === 'open' ? (
              <ul className="mt-0.5 list-disc pl-4 text-text-2 text-ui marker:text-text-3">
                {asked.options.map(({ label }) => (
                  <li key={label} className="[overflow-wrap:anywhere]">
                    <SafeText text={label} />
                  </li>
                ))}
              </ul>
            ) : null}
            {answers?.[asked.question] ? (
              <p className="font-medium [overflow-wrap:anywhere]">
                <SafeText text={answers[asked.question] ?? ''} />
              </p>
            ) : null}
          </div>
        </div>
      ))}
      <p className="text-meta text-text-3">
        <Outcome question={question} refusal={refusal} />
      </p>
    </section>
  );
}

function Outcome({ question, refusal }: QuestionViewProps) {
  const { status, answeredBy, answeredAt } = question;
  switch (status) {
    case 'open':
      return `The agent waits for an answer. ${refusal ?? ''}`;
    case 'answered':
      return <Answered by={answeredBy} at={answeredAt} />;
    case 'expired':
      return 'Nobody answered in time, so the agent continued without an answer.';
    case 'cancelled':
      return answeredAt ? (
        <>
          <Answered by={answeredBy} at={answeredAt} />. Its process ended before the agent read it.
        </>
      ) : (
        'The agent’s process ended before anybody answered.'
      );
  }
}

function Answered({ by, at }: { by: string | null; at: string | null }) {
  return (
    <>
      Answered by {by ?? 'someone'} {at ? <Time at={at} /> : null}
    </>
  );
}
