import type { ReactNode } from 'react';
import { Markdown } from '@/app/_components/markdown/markdown';
import type { StateOf } from '@/app/_components/status/states';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import type { TurnDto } from '@/lib/conversations/schema';
import type { AgentChoice } from '../../_components/message-form';
import { isMoving } from './conversation-sentence';
import { PastWork } from './past-work';
import { QuestionForm } from './question-form';
import { QuestionView } from './question-view';
import { AskAgain } from './turn-acts';
import { TurnFacts } from './turn-facts';
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
  /** Stands in the place of what the agent did while it goes on. */
  running: ReactNode;
  /** Stands in the place of the answer where none came. */
  unfinished: ReactNode;
}

/** One message of a person and what came of it. */
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
