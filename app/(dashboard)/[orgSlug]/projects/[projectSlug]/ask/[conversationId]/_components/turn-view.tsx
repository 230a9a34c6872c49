import { MessageCircleQuestionMark } from 'lucide-react';
import type { ReactNode } from 'react';
import { FactLine } from '@/app/_components/chains/fact-line';
import { Markdown } from '@/app/_components/markdown/markdown';
import { Cost, Tokens, Unknown } from '@/app/_components/status/cost';
import { Duration } from '@/app/_components/status/duration';
import type { StateOf } from '@/app/_components/status/states';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { SafeText } from '@/app/_components/ui/safe-text';
import type { AgentChoice } from '@/app/(dashboard)/[orgSlug]/projects/[projectSlug]/ask/_components/message-form';
import type { QuestionDto, TurnDto } from '@/lib/conversations/schema';
import { microsOf } from '@/lib/platform/format/cost';
import { formatContextUse } from '@/lib/platform/format/count';
import { isMoving } from './conversation-sentence';
import { PastWork } from './past-work';
import { QuestionForm } from './question-form';
import { AskAgain } from './turn-acts';
import { TurnMessage } from './turn-message';

interface TurnViewProps {
  organizationSlug: string;
  turn: TurnDto;
  laterTurns: number;
  /** It, or one after it, waits or runs. */
  isFollowedByMoving: boolean;
  agents: readonly AgentChoice[];
  /** Why the reader may not ask; null for those who may. */
  refusal: string | null;
  reviewHref: string | null;
  /** Replaces the list of what the agent did while it is running. */
  running: ReactNode;
  /** Stands in the place of the answer where none came. */
  unfinished: ReactNode;
}

/** One message of a person and its outcome. */
export function TurnView(props: TurnViewProps) {
  const { organizationSlug, turn, laterTurns, agents, refusal, reviewHref } = props;
  const { id, conversationId, position, cutAt, cutBy, questions, session } = turn;
  const isCut = cutAt !== null;
  const mayAskAgain =
    refusal === null &&
    !isCut &&
    laterTurns === 0 &&
    agents.some(({ name }) => name === turn.agent);
  return (
    <li id={isCut ? undefined : `turn-${position}`} className="scroll-mt-18">
      <article aria-label={`Turn ${position}`} className="flex flex-col gap-3">
        {isCut ? (
          <p className="text-meta text-text-3">
            Taken out by {cutBy ?? 'someone'} <Time at={cutAt} />. No agent reads it.
          </p>
        ) : null}
        <TurnMessage
          organizationSlug={organizationSlug}
          conversationId={conversationId}
          turn={turn}
          place={{ position, laterTurns, isMoving: props.isFollowedByMoving }}
          agents={agents}
          isOpenToActs={refusal === null && !isCut}
        />
        <div className="flex flex-col gap-3 pl-3 max-md:pl-1">
          {isMoving(turn) && !isCut ? (
            props.running
          ) : (
            <PastWork
              organizationSlug={organizationSlug}
              sessionId={session.id}
              isAnswerShown={turn.endedAt !== null}
              reviewHref={reviewHref}
            />
          )}
          {questions.map((question) =>
            question.status === 'open' && refusal === null && !isCut ? (
              <QuestionForm
                key={question.id}
                organizationSlug={organizationSlug}
                conversationId={conversationId}
                turnId={id}
                question={question}
              />
            ) : (
              <QuestionView key={question.id} question={question} refusal={refusal} />
            ),
          )}
          {turn.answer === null ? props.unfinished : <Markdown text={turn.answer} />}
          {isMoving(turn) || turn.status === 'completed' ? null : (
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <StatusBadge
                kind="session"
                state={turn.status as StateOf<'session'>}
                reason={turn.statusText}
              />
              {mayAskAgain ? (
                <AskAgain
                  organizationSlug={organizationSlug}
                  conversationId={conversationId}
                  turn={turn}
                />
              ) : null}
            </div>
          )}
          <TurnFacts turn={turn} isMoving={isMoving(turn)} />
        </div>
      </article>
    </li>
  );
}

/** How a turn related to what was said before, why, and what it took. */
function TurnFacts({ turn, isMoving }: { turn: TurnDto; isMoving: boolean }) {
  const { start, continued, agent, model, startedAt, endedAt, contextTokens, contextWindow } = turn;
  return (
    <div className="flex flex-col gap-1">
      {start && !start.isSent && start.mode !== 'refuse' ? (
        <p className="text-text-2 text-ui">{start.sentence}</p>
      ) : null}
      {start && (start.isSent || start.mode === 'refuse') ? (
        <StatusBadge
          kind="decision"
          state={start.mode}
          reason={
            <>
              {start.sentence}
              {start.isFallback
                ? ' It was resumed first, and refused; both starts are in its cost.'
                : null}
            </>
          }
        />
      ) : null}
      {continued === null ? null : <p className="text-text-2 text-ui">{continued}</p>}
      <p className="flex flex-wrap items-center gap-x-2 text-text-2 text-ui tabular-nums">
        <FactLine>
          <span>{agent === model ? agent : `${agent} (${model})`}</span>
          {isMoving ? null : usageOf(turn)}
          {startedAt && endedAt ? <Duration from={startedAt} to={endedAt} /> : null}
          {contextTokens !== null && contextWindow !== null ? (
            <span>context {formatContextUse(contextTokens, contextWindow)}</span>
          ) : null}
        </FactLine>
      </p>
    </div>
  );
}

/** Input of both kinds, output, cost: one fact each, so that a line may break between them. */
function usageOf({ usage }: TurnDto): ReactNode[] {
  const { newInputTokens, cachedInputTokens, outputTokens, costUsd, isCostEstimated } = usage;
  if (newInputTokens + cachedInputTokens + outputTokens === 0) {
    return [
      <span key="none">
        tokens and cost <Unknown reason="The process reported no usage" />
      </span>,
    ];
  }
  return [
    <span key="new">
      <Tokens count={newInputTokens} /> new in
    </span>,
    <span key="cached">
      <Tokens count={cachedInputTokens} /> from cache
    </span>,
    <span key="out">
      <Tokens count={outputTokens} /> out
    </span>,
    <Cost key="cost" micros={microsOf(costUsd)} form={isCostEstimated ? 'estimate' : 'final'} />,
  ];
}

interface QuestionViewProps {
  question: QuestionDto;
  /** Who may answer, for those who may not. */
  refusal: string | null;
}

/** What the agent asked, and how it was decided, or why it was not. */
function QuestionView({ question, refusal }: QuestionViewProps) {
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
