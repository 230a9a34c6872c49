'use client';

import type { ReactNode } from 'react';
import { emptyFeed, type FollowedSession } from '@/app/_components/log/feed';
import { LiveCost, LogProvider, useLogStates } from '@/app/_components/log/log-provider';
import { StreamNote } from '@/app/_components/log/notes';
import { LazyMarkdown, usePreloadedMarkdown } from '@/app/_components/markdown/lazy-markdown';
import { Duration } from '@/app/_components/status/duration';
import type { StateOf } from '@/app/_components/status/states';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { TurnWork } from './turn-work';
import { answerAmong, withoutAnswer } from './work-rows';

interface RunningTurnProps {
  organizationSlug: string;
  /** `prj_…` */
  projectId: string;
  session: FollowedSession;
  startedAt: string | null;
  reviewHref: string | null;
  /** Stop. */
  actions: ReactNode;
}

/** A turn that waits or runs, as its session's stream tells it. */
export function RunningTurn(props: RunningTurnProps) {
  const { organizationSlug, projectId, session } = props;
  return (
    <LogProvider organizationSlug={organizationSlug} projectId={projectId} sessions={[session]}>
      <Running {...props} />
    </LogProvider>
  );
}

function Running({ session, startedAt, reviewHref, actions }: RunningTurnProps) {
  usePreloadedMarkdown();
  const state = useLogStates().get(session.id) ?? emptyFeed;
  const { rows } = state.log;
  const isWriting = state.writing !== null;
  const last = isWriting ? null : answerAmong(rows);
  const answer = last?.isUnfinished ? null : last;
  const shown = state.writing?.text ?? answer?.text ?? null;
  const { status, statusText } = state.standing ?? session;
  return (
    <div className="flex flex-col gap-2">
      <div role="log" aria-live="off" aria-label="What the agent does">
        <TurnWork rows={answer ? withoutAnswer(rows) : rows} isLive reviewHref={reviewHref} />
      </div>
      {shown === null ? null : (
        // An answer is read out once it is whole, and not word by word.
        <section
          aria-label="Answer"
          aria-busy={isWriting}
          aria-live={isWriting ? 'off' : 'polite'}
          aria-atomic
        >
          <LazyMarkdown text={shown} isWriting={isWriting} />
        </section>
      )}
      <StreamNote states={[state]} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <StatusBadge kind="session" state={status as StateOf<'session'>} reason={statusText} />
        {startedAt ? (
          <span className="flex items-center gap-x-2 text-meta text-text-3">
            <Duration from={startedAt} to={null} />
            <LiveCost />
          </span>
        ) : null}
        <span className="ml-auto">{actions}</span>
      </div>
    </div>
  );
}
