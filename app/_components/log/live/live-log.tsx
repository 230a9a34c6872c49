'use client';

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { AttemptDto, SessionEventDto } from '@/lib/insight/sessions/schema';
import { useKeys } from '../../keys/use-keys';
import { usePreloadedMarkdown } from '../../markdown/lazy-markdown';
import type { LogFacts } from './entry-row';
import { useFeed } from './feed-context';
import { LogAnnouncer } from './log-announcer';
import { anchorOf, entryOfEvent, logEntries } from './log-entries';
import { LogInspector } from './log-inspector';
import { LogList, type LogListHandle } from './log-list';
import { LogFooter, LogToolbar } from './log-toolbar';
import { type LogView, writeLogView } from './log-view';
import { Minimap } from './minimap';
import { revealRow } from './reveal-row';
import { callsOf, filterRows, lastCallSeq, problemAfter } from './rows';
import type { FeedState } from './session-feed';
import { StreamNote } from './stream-note';
import { useFolds } from './use-folds';
import { useFollow } from './use-follow';
import { useLogSearch } from './use-log-search';
import { useLogState } from './use-log-state';

interface LiveLogProps {
  facts: LogFacts;
  attempts: readonly AttemptDto[];
  /** The first events, drawn by the server; the stream brings those behind them. */
  initial: readonly SessionEventDto[];
  /** Events up to this number are left out: the log is longer than a page can hold. */
  after: number;
  /** How many events there were when the page was made. */
  eventCount: number;
  isEnded: boolean;
  /** Nothing is behind `initial`. */
  isWhole: boolean;
  view: LogView;
  /** Stands in an empty log: why, and since when. */
  emptyText: string;
  textHref: string;
  jsonHref: string;
}

/** The log of a session: one stream, drawn as it comes. */
export function LiveLog(props: LiveLogProps) {
  const { facts, attempts, isEnded, view } = props;
  usePreloadedMarkdown();
  const feed = useFeed();
  const state = useLogState(props);
  const [paused, setPaused] = useState<FeedState | null>(null);
  const { log, attemptStarts } = paused ?? state;
  const lastSeq = log.lastSeq ?? 0;
  const [filter, setFilter] = useState(view.filter);
  const [marked, setMarked] = useState(view.event);
  const [isAnnounced, setAnnounced] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLOListElement>(null);
  const list = useRef<LogListHandle>(null);
  const searchBox = useRef<HTMLInputElement>(null);
  const hasEnded = isEnded || state.connection.kind === 'ended';
  const isComplete = (props.isWhole || state.connection.kind === 'ended') && paused === null;

  const rows = useMemo(() => filterRows(log.rows, filter), [log.rows, filter]);
  const entries = useMemo(
    () => logEntries(rows, { attempts, starts: attemptStarts, isComplete }),
    [rows, attempts, attemptStarts, isComplete],
  );
  const lastCall = useMemo(() => lastCallSeq(log.rows), [log.rows]);
  const folds = useFolds(lastCall);
  const search = useLogSearch(rows, marked, view.query);
  const follow = useFollow(box, content, !hasEnded && view.event === null);
  const stoppedAt = useRef(0);
  if (follow.isFollowing) stoppedAt.current = lastSeq;

  const { unfollow } = follow;
  const { open } = folds;
  const show = useCallback(
    (seq: number, takesFocus: boolean) => {
      const index = entryOfEvent(entries, seq);
      const entry = entries[index];
      if (entry?.type !== 'row' || !box.current) return;
      const anchor = anchorOf(entry.row, seq);
      unfollow();
      setMarked(anchor);
      if (callsOf(entry.row).some((call) => call.seq === anchor)) open(anchor);
      revealRow(
        box.current,
        anchor,
        () => list.current?.scrollTo(index),
        (row) => {
          if (!takesFocus) return;
          row.tabIndex = -1;
          row.focus({ preventScroll: true });
        },
      );
    },
    [entries, unfollow, open],
  );

  // The event that the address names may come later than the page.
  const isLinkDone = useRef(view.event === null);
  useEffect(() => {
    if (isLinkDone.current || view.event === null || lastSeq < view.event) return;
    isLinkDone.current = true;
    show(view.event, true);
  }, [view.event, lastSeq, show]);

  const { words } = search;
  useEffect(() => {
    const address = writeLogView({ event: marked, query: words, filter });
    window.history.replaceState(null, '', `${window.location.pathname}${address}`);
  }, [marked, words, filter]);

  useLogKeys({
    onFollow: follow.follow,
    onSearch: () => searchBox.current?.focus(),
    onFoldAll: () => folds.foldAll(rows),
    onProblem: (step) => {
      const next = problemAfter(rows, marked, step);
      if (next !== null) show(next, true);
    },
  });

  const label = `Log of session #${facts.sessionNumber}`;
  return (
    <div className="flex min-w-0 items-start gap-4">
      <section
        aria-label={label}
        className="flex min-w-0 flex-1 flex-col overflow-hidden rounded-card border border-line bg-surface"
      >
        <LogToolbar
          filter={filter}
          onFilter={setFilter}
          counts={log.counts}
          search={search}
          onMatch={(step) => {
            const next = search.step(step);
            if (next !== null) show(next, false);
          }}
          searchBox={searchBox}
          pause={
            hasEnded && !paused
              ? null
              : {
                  isPaused: paused !== null,
                  waiting: (state.log.lastSeq ?? 0) - lastSeq,
                  toggle: () => setPaused(paused ? null : state),
                }
          }
          isAnnounced={isAnnounced}
          onAnnounced={setAnnounced}
          textHref={props.textHref}
          jsonHref={props.jsonHref}
        />
        <Minimap rows={log.rows} onJump={(seq) => show(seq, true)} />
        {marked === null ? null : (
          // Holds in a windowed list too, where rows come and go.
          <style>{`[data-seq="${marked}"]{outline:2px solid var(--focus);outline-offset:-2px}`}</style>
        )}
        {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex: a scrolling box must be within reach of the keyboard */}
        <div
          ref={box}
          role="log"
          aria-live={isAnnounced ? 'polite' : 'off'}
          aria-label={label}
          tabIndex={0}
          className="h-[max(26rem,calc(100dvh-21rem))] overflow-y-auto overscroll-contain max-md:h-[max(22rem,calc(100dvh-15rem))]"
        >
          {props.after > 0 ? (
            <p className="px-3 py-2 text-text-2 text-ui">
              Events 1–{props.after.toLocaleString('en')} are not drawn here.{' '}
              <a href={props.textHref} download className="link">
                Download the whole log
              </a>
            </p>
          ) : null}
          {entries.length === 0 ? (
            <p className="px-3 py-6 text-text-2">
              {log.rows.length === 0 ? props.emptyText : 'No event of this kind.'}
            </p>
          ) : null}
          <LogList
            entries={entries}
            eventCount={filter === 'all' ? Math.max(props.eventCount, lastSeq) : 0}
            facts={facts}
            chosen={folds.chosen}
            lastCall={lastCall}
            onToggle={folds.toggle}
            box={box}
            content={content}
            handle={list}
          />
        </div>
        {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex: as above */}
        <StreamNote
          connection={state.connection}
          lastSeq={state.log.lastSeq ?? 0}
          onReconnect={() => feed?.reconnect()}
        />
        <LogFooter
          isLive={!hasEnded}
          isFollowing={follow.isFollowing}
          newCount={paused ? 0 : lastSeq - stoppedAt.current}
          eventCount={lastSeq}
          onFollow={follow.follow}
          onUnfollow={unfollow}
        />
        <LogAnnouncer state={state} sessionNumber={facts.sessionNumber} />
      </section>
      <LogInspector rows={log.rows} seq={folds.selected} facts={facts} />
    </div>
  );
}

interface LogKeys {
  onFollow: () => void;
  onSearch: () => void;
  onFoldAll: () => void;
  onProblem: (step: 1 | -1) => void;
}

/** `f` and End follow, `/` searches, `e` folds, `n` and `N` go to the next and the last problem. */
function useLogKeys(keys: LogKeys): void {
  useKeys(({ key }) => actOf(key, keys));
}

function actOf(key: string, keys: LogKeys): (() => void) | null {
  switch (key) {
    case 'f':
    case 'End':
      return keys.onFollow;
    case '/':
      return keys.onSearch;
    case 'e':
      return keys.onFoldAll;
    case 'n':
      return () => keys.onProblem(1);
    case 'N':
      return () => keys.onProblem(-1);
    default:
      return null;
  }
}
