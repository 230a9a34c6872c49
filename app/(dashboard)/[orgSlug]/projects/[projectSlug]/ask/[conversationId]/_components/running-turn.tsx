'use client';

import { type ReactNode, useEffect, useRef } from 'react';
import { reportChange } from '@/app/_components/live/report-change';
import { FeedProvider, useFeed } from '@/app/_components/log/live/feed-context';
import { LiveCost } from '@/app/_components/log/live/live-cost';
import { StreamNote } from '@/app/_components/log/live/stream-note';
import { useLogState } from '@/app/_components/log/live/use-log-state';
import { LazyMarkdown, usePreloadedMarkdown } from '@/app/_components/markdown/lazy-markdown';
import { Duration } from '@/app/_components/status/duration';
import type { StateOf } from '@/app/_components/status/states';
import { StatusBadge } from '@/app/_components/status/status-badge';
import type { PriceTable } from '@/lib/agents/prices';
import type { UnfinishedAnswer } from '@/lib/engine/events/unfinished';
import type { SessionEventDto } from '@/lib/insight/sessions/schema';
import { TurnWork } from './turn-work';
import { answerAmong, withoutAnswer } from './work-rows';

interface RunningTurnProps {
  organizationSlug: string;
  /** `prj_…` */
  projectId: string;
  session: { id: string; lastSeq: number };
  status: string;
  statusText: string;
  startedAt: string | null;
  /** Drawn by the server; the stream brings the rest. */
  initial: readonly SessionEventDto[];
  /** What the agent was writing then. */
  writing: UnfinishedAnswer | null;
  prices: PriceTable | null;
  reviewHref: string | null;
  /** Stop. */
  actions: ReactNode;
}

/** A turn that waits or runs, as its session's stream tells it. */
export function RunningTurn(props: RunningTurnProps) {
  const { organizationSlug, projectId, session, status, statusText, prices } = props;
  return (
    <FeedProvider
      organizationSlug={organizationSlug}
      sessionId={session.id}
      projectId={projectId}
      lastSeq={session.lastSeq}
      isEnded={false}
      standing={{ status, statusText }}
      prices={prices}
    >
      <Running {...props} />
    </FeedProvider>
  );
}

function Running(props: RunningTurnProps) {
  const { initial, writing, startedAt, reviewHref, actions } = props;
  usePreloadedMarkdown();
  const feed = useFeed();
  const state = useLogState({ initial, writing, after: 0, isWhole: false });
  const { rows } = state.log;
  const isWriting = state.writing !== null;
  const last = isWriting ? null : answerAmong(rows);
  const answer = last?.isUnfinished ? null : last;
  const shown = state.writing?.text ?? answer?.text ?? null;
  const { status, statusText } = state.standing ?? props;
  // The page renders a question and its answer, so it refreshes for each.
  const asked = rows.filter(
    (row) => row.type === 'meta' && /^question/.test(row.event.kind),
  ).length;
  const known = useRef(asked);
  useEffect(() => {
    if (asked !== known.current) reportChange();
    known.current = asked;
  }, [asked]);
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
      <StreamNote
        connection={state.connection}
        lastSeq={state.log.lastSeq ?? 0}
        onReconnect={() => feed?.reconnect()}
      />
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
