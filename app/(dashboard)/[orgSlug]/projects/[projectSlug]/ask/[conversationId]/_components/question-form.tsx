'use client';

import { useRouter } from 'next/navigation';
import { useId, useState, useTransition } from 'react';
import { Checkbox } from '@/app/_components/ui/checkbox';
import { FormProblem } from '@/app/_components/ui/field';
import { Input, Radio } from '@/app/_components/ui/input';
import { SafeText } from '@/app/_components/ui/safe-text';
import { PendingButton } from '@/app/_components/ui/spinner';
import { answerQuestion } from '@/app/(dashboard)/[orgSlug]/projects/[projectSlug]/ask/actions';
import type { QuestionDto } from '@/lib/conversations/schema';

interface QuestionFormProps {
  organizationSlug: string;
  conversationId: string;
  turnId: string;
  question: QuestionDto;
}

/** The agent's questions with their choices as buttons. They are answered once, all together. */
export function QuestionForm(props: QuestionFormProps) {
  const { organizationSlug, conversationId, turnId, question } = props;
  const router = useRouter();
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map());
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();

  function choose(text: string, choice: Choice) {
    setChoices(new Map(choices).set(text, choice));
    setProblem(null);
  }

  function send() {
    if (isPending) return;
    const answers = answersOf(question.questions, choices);
    if (!answers) {
      return setProblem(
        question.questions.length === 1
          ? 'Choose an answer.'
          : 'Choose an answer to each question.',
      );
    }
    startTransition(async () => {
      const turn = { organizationSlug, conversationId, turnId };
      const sent = await answerQuestion({ ...turn, questionId: question.id, answers });
      if (!sent.ok) setProblem(sent.error.message);
      router.refresh();
    });
  }

  return (
    <form
      aria-label="The agent’s question"
      className="flex flex-col gap-4 rounded-card border border-wait-mark px-3 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {question.questions.map((asked) => (
        <Choices
          key={asked.question}
          asked={asked}
          choice={choices.get(asked.question) ?? NO_CHOICE}
          onChange={(choice) => choose(asked.question, choice)}
        />
      ))}
      <FormProblem text={problem} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-text-2 text-ui">The agent waits. The first answer counts.</p>
        <PendingButton look="primary" type="submit" isPending={isPending}>
          Send answer
        </PendingButton>
      </div>
    </form>
  );
}

interface ChoicesProps {
  asked: QuestionDto['questions'][number];
  choice: Choice;
  onChange: (choice: Choice) => void;
}

function Choices({ asked, choice, onChange }: ChoicesProps) {
  const id = useId();
  const Mark = asked.multiSelect ? Checkbox : Radio;
  const isOwn = !asked.multiSelect && choice.own.trim() !== '';
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-2 max-w-prose font-medium text-body [overflow-wrap:anywhere]">
        <SafeText text={asked.question} />
        {asked.multiSelect ? (
          <span className="font-normal text-text-2"> Several may be chosen.</span>
        ) : null}
      </legend>
      <div className="flex flex-wrap gap-2">
        {asked.options.map(({ label, description }, index) => (
          <label
            key={label}
            htmlFor={`${id}-${index}`}
            className="flex max-w-80 cursor-pointer items-start gap-2 rounded-control border border-control/60 bg-surface px-3 py-1.5 hover:bg-hover has-checked:border-ink has-checked:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2"
          >
            <Mark
              id={`${id}-${index}`}
              name={id}
              checked={!isOwn && choice.labels.includes(label)}
              onChange={() => onChange(withLabel(asked, choice, label))}
              className="mt-0.5 outline-none"
            />
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <span className="block font-medium text-ui">
                <SafeText text={label} />
              </span>
              {description ? (
                <span className="block text-text-2 text-ui">
                  <SafeText text={description} />
                </span>
              ) : null}
            </span>
          </label>
        ))}
      </div>
      <label htmlFor={`${id}-own`} className="flex max-w-prose flex-col gap-1 text-ui">
        <span className="text-text-2">In your own words</span>
        <Input
          id={`${id}-own`}
          value={choice.own}
          maxLength={1_000}
          onChange={(event) => onChange({ ...choice, own: event.target.value })}
        />
      </label>
    </fieldset>
  );
}

/** What a person has chosen so far, by the question's text. */
export interface Choice {
  labels: readonly string[];
  /** In their own words; holds instead of the labels, or beside them where several may be chosen. */
  own: string;
}

interface AskedQuestion {
  question: string;
  multiSelect: boolean;
}

export const NO_CHOICE: Choice = { labels: [], own: '' };

/** As the agent gets it: labels in commas, own words last. Empty while nothing was chosen. */
export function answerText({ multiSelect }: AskedQuestion, { labels, own }: Choice): string {
  const words = own.trim();
  if (!multiSelect) return words === '' ? (labels[0] ?? '') : words;
  return [...labels, ...(words === '' ? [] : [words])].join(', ');
}

/** The answers to all questions; null while one is missing. */
export function answersOf(
  questions: readonly AskedQuestion[],
  choices: ReadonlyMap<string, Choice>,
): { question: string; answer: string }[] | null {
  const answers = questions.map((asked) => {
    const { question } = asked;
    return { question, answer: answerText(asked, choices.get(question) ?? NO_CHOICE) };
  });
  return answers.some(({ answer }) => answer === '') ? null : answers;
}

/** A click on a label: one of them, or one more or less where several may be chosen. */
export function withLabel(asked: AskedQuestion, choice: Choice, label: string): Choice {
  if (!asked.multiSelect) return { labels: [label], own: '' };
  const { labels } = choice;
  return {
    ...choice,
    labels: labels.includes(label) ? labels.filter((each) => each !== label) : [...labels, label],
  };
}
