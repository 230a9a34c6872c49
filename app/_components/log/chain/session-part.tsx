'use client';

import { ChevronRight } from 'lucide-react';
import { memo, useCallback, useMemo } from 'react';
import { Link } from '@/app/_components/ui/link';
import { Duration } from '../../status/duration';
import type { StateOf } from '../../status/states';
import { StatusBadge } from '../../status/status-badge';
import { TierMark } from '../../status/tier-mark';
import { cn } from '../../ui/cn';
import { Denial } from '../denial';
import { EventsOf } from '../event-id';
import { lastCallSeq, openCalls } from '../live/rows';
import type { CallItem } from '../log-rows';
import { type ChainFilter, filterEntries, type SessionRows, sessionEntries } from './chain-entries';
import { ChainEntryRow } from './chain-entry-row';
import type { SessionState } from './chain-feed';
import type { ChainLogSession } from './chain-session';

/** From here on entries far from the view cost nothing but their place. */
const MANY_ENTRIES = 200;
const farAwayStyle = '[contain-intrinsic-height:auto_4rem] [content-visibility:auto]';

interface SessionPartProps {
  session: ChainLogSession;
  /** What has arrived of it; undefined for a session that has just appeared. */
  state: SessionState | undefined;
  isFolded: boolean;
  onFold: (sessionId: string, isFolded: boolean) => void;
  filter: ChainFilter;
  /** Calls that the reader opened and closed: "ses_… 12". */
  chosen: ReadonlyMap<string, boolean>;
  onToggleCall: (sessionId: string, call: CallItem, isOpen: boolean) => void;
  root: string;
  reviewHref: string | null;
}

/** A session in the log of its chain: which tier, then what it did. */
export const SessionPart = memo(function SessionPart(props: SessionPartProps) {
  const { session, state, isFolded, filter, chosen, root, reviewHref, onToggleCall } = props;
  const { id, number, tier, tools } = session;
  const shown = useMemo(
    () => filterEntries(sessionEntries(session, rowsOf(session, state)), filter),
    [session, state, filter],
  );
  const own = useMemo(() => chosenOf(session, chosen), [session, chosen]);
  const isLive = session.endedAt === null;
  const newest = useMemo(
    () => (isLive ? lastCallSeq(shown.flatMap((e) => (e.type === 'row' ? [e.row] : []))) : null),
    [isLive, shown],
  );
  const onToggle = useCallback(
    (call: CallItem, isOpen: boolean) => onToggleCall(id, call, isOpen),
    [onToggleCall, id],
  );
  const denialOf = useCallback(
    (call: CallItem) => (
      <Denial
        tier={tier}
        tool={call.tool}
        isOffered={tools.length === 0 || tools.includes(call.tool) || call.tool.startsWith('mcp__')}
        reviewHref={reviewHref}
      />
    ),
    [tier, tools, reviewHref],
  );
  const listId = `session-${number}-log`;
  return (
    <li
      aria-label={`Tier ${tier}, Session #${number}`}
      className="border-line border-t first:border-t-0"
    >
      <PartHeader {...props} listId={listId} />
      {isFolded ? null : (
        <EventsOf sessionNumber={number}>
          <ol id={listId} className="pb-3">
            {shown.map((entry) => (
              <li
                key={entry.key}
                className={shown.length > MANY_ENTRIES ? farAwayStyle : undefined}
              >
                <ChainEntryRow
                  entry={entry}
                  session={session}
                  root={root}
                  open={entry.type === 'row' ? openCalls(entry.row, own, newest) : ''}
                  onToggle={onToggle}
                  denialOf={denialOf}
                />
              </li>
            ))}
          </ol>
        </EventsOf>
      )}
    </li>
  );
});

function PartHeader(props: SessionPartProps & { listId: string }) {
  const { session, state, isFolded, onFold, root, listId } = props;
  const status = state?.feed.standing?.status ?? session.status;
  const { id, number, tier, model, isUnconfined, startedAt, endedAt } = session;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-sunken px-3 py-1.5 text-text-2 text-ui tabular-nums">
      <h3 className="font-medium text-text">
        <button
          type="button"
          aria-expanded={!isFolded}
          aria-controls={isFolded ? undefined : listId}
          onClick={() => onFold(id, !isFolded)}
          className="inline-flex min-h-7 items-center gap-2 hover:underline"
        >
          <ChevronRight
            aria-hidden
            className={cn('size-4 text-text-3', !isFolded && 'rotate-90')}
          />
          <TierMark tier={tier} form="long" size="md" />
        </button>
      </h3>
      <Link href={`${root}/sessions/${number}`} className="link inline-flex min-h-6 items-center">
        Session #{number}
      </Link>
      <span>{model}</span>
      {isUnconfined ? <span className="text-wait-fg">not confined</span> : null}
      {startedAt ? <Duration from={startedAt} to={endedAt} /> : null}
      <StatusBadge kind="session" state={status as StateOf<'session'>} className="ml-auto" />
    </div>
  );
}

function rowsOf(session: ChainLogSession, state: SessionState | undefined): SessionRows {
  if (!state) return { rows: [], attemptStarts: [], lastSeq: null, after: session.after };
  const { log, attemptStarts } = state.feed;
  return { rows: log.rows, attemptStarts, lastSeq: log.lastSeq, after: state.after };
}

/** By number; calls that may have changed something are open, as are those that failed. */
function chosenOf(
  { id, changes }: ChainLogSession,
  chosen: ReadonlyMap<string, boolean>,
): ReadonlyMap<number, boolean> {
  const own = new Map(changes.map((seq) => [seq, true]));
  for (const [key, isOpen] of chosen) {
    const [sessionId, seq] = key.split(' ');
    if (sessionId === id) own.set(Number(seq), isOpen);
  }
  return own;
}
