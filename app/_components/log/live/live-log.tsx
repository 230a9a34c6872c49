'use client';

import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { AttemptDto, SessionEventDto } from '@/lib/insight/sessions/schema';
import { usePreloadedMarkdown } from '../../markdown/lazy-markdown';
import type { CallItem, LogRow } from '../log-rows';
import type { LogFacts } from './entry-row';
import { useFeed } from './feed-context';
import { LogAnnouncer } from './log-announcer';
import { anchorOf, entryOfEvent, logEntries } from './log-entries';
import { hasInspectorRoom, LogInspector } from './log-inspector';
import { LogList, type LogListHandle } from './log-list';
import { findMatches } from './log-matches';
import { LogToolbar } from './log-toolbar';
import type { LogView } from './log-view';
import { Minimap } from './minimap';
import { revealRow } from './reveal-row';
import { callsOf, filterRows, lastCallSeq, problemAfter, rowAfter } from './rows';
import { SearchContext } from './search-context';
import type { FeedState } from './session-feed';
import { StreamNote } from './stream-note';
import { useFolds } from './use-folds';
import { useFollow } from './use-follow';
import { HIGHLIGHT_STYLE, useHighlights } from './use-highlights';
import { useLogKeys } from './use-log-keys';
import { useLogSearch } from './use-log-search';
import { useLogState } from './use-log-state';
import { useLogAddress, useSelection } from './use-selection';

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
  /** Below the log of a session that has ended: where its chain continues. */
  continuation?: ReactNode;
  textHref: string;
  jsonHref: string;
}

interface ShowOptions {
  takesFocus?: boolean;
  unfolds?: boolean;
  /** Words that are to stand in the middle of the view; else the row does. */
  query?: string;
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
  const [isAnnounced, setAnnounced] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLOListElement>(null);
  const list = useRef<LogListHandle>(null);
  const searchBox = useRef<HTMLInputElement>(null);
  const { marked, mark, inspected, inspect } = useSelection(box, view.event);
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
  const { open, toggle } = folds;
  const { words } = search;
  const show = useCallback(
    (seq: number, { takesFocus = true, unfolds = true, query = '' }: ShowOptions = {}) => {
      const index = entryOfEvent(entries, seq);
      const entry = entries[index];
      if (entry?.type !== 'row' || !box.current) return;
      const anchor = anchorOf(entry.row, seq);
      const isCall = callsOf(entry.row).some((call) => call.seq === anchor);
      unfollow();
      mark(anchor);
      if (isCall && unfolds) open(anchor);
      // Details that are shown follow the selection; they never open by themselves.
      if (isCall) inspect((before) => (before === null ? null : anchor));
      revealRow(box.current, {
        seq: anchor,
        scroll: () => list.current?.scrollTo(index),
        spotOf: (row) => (findMatches(row, query)[0] ?? row).getBoundingClientRect(),
        onShown: (row) => {
          if (!takesFocus) return;
          row.tabIndex = -1;
          row.focus({ preventScroll: true });
        },
      });
    },
    [entries, unfollow, open, mark, inspect],
  );

  const onToggle = useCallback(
    (call: CallItem) => {
      const isOpen = toggle(call);
      unfollow();
      mark(call.seq);
      if (isOpen && hasInspectorRoom()) inspect(call.seq);
      if (!isOpen) inspect((before) => (before === call.seq ? null : before));
    },
    [toggle, unfollow, mark, inspect],
  );
  const onInspect = useCallback(
    (call: CallItem) => {
      mark(call.seq);
      inspect(call.seq);
    },
    [mark, inspect],
  );
  const closeInspector = () => {
    inspect(null);
    box.current?.querySelector<HTMLElement>(`[data-seq="${inspected}"] button`)?.focus();
  };

  // The event that the address names may come later than the page.
  const isLinkDone = useRef(view.event === null);
  useEffect(() => {
    if (isLinkDone.current || view.event === null || lastSeq < view.event) return;
    isLinkDone.current = true;
    show(view.event);
  }, [view.event, lastSeq, show]);

  useLogAddress({ event: marked, query: words, filter });
  useHighlights(box, words, marked);

  useLogKeys({
    onFollow: follow.follow,
    onSearch: () => searchBox.current?.focus(),
    onFoldAll: () => folds.foldAll(rows),
    onProblem: (step) => {
      const next = problemAfter(rows, marked, step);
      if (next !== null) show(next);
    },
    onRow: (step) => {
      const next = rowAfter(rows, marked, step);
      if (next !== null) show(next, { unfolds: false });
    },
    onEnter: () => {
      const call = focusedCall(rows);
      return call ? () => onToggle(call) : null;
    },
    onClose: inspected === null ? null : closeInspector,
  });
  const match = useMemo(() => ({ words, marked }), [words, marked]);

  const label = `Log of Session #${facts.sessionNumber}`;
  return (
    <div data-fills-viewport className="flex h-0 min-h-72 min-w-0 grow gap-3">
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
            if (next !== null) show(next, { takesFocus: false, query: search.query });
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
          eventCount={lastSeq}
          follow={{
            isLive: !hasEnded,
            isFollowing: follow.isFollowing,
            newCount: paused ? 0 : lastSeq - stoppedAt.current,
            onFollow: follow.follow,
            onUnfollow: unfollow,
          }}
        />
        <Minimap rows={log.rows} onJump={(seq) => show(seq)} />
        <style>{HIGHLIGHT_STYLE}</style>
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
          className="min-h-0 flex-1 overflow-y-auto overscroll-contain -outline-offset-2"
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
          <SearchContext value={match}>
            <LogList
              entries={entries}
              eventCount={filter === 'all' ? Math.max(props.eventCount, lastSeq) : 0}
              facts={facts}
              chosen={folds.chosen}
              lastCall={lastCall}
              onToggle={onToggle}
              onInspect={onInspect}
              box={box}
              content={content}
              handle={list}
            />
          </SearchContext>
        </div>
        {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex: as above */}
        <StreamNote
          connection={state.connection}
          lastSeq={state.log.lastSeq ?? 0}
          onReconnect={() => feed?.reconnect()}
        />
        {hasEnded ? props.continuation : null}
        <LogAnnouncer state={state} sessionNumber={facts.sessionNumber} />
      </section>
      <LogInspector rows={log.rows} seq={inspected} facts={facts} onClose={closeInspector} />
    </div>
  );
}

/** The call whose row itself has keyboard focus, and not a control inside it. */
function focusedCall(rows: readonly LogRow[]): CallItem | undefined {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement)) return undefined;
  const seq = Number(activeElement.dataset.seq);
  return rows.flatMap(callsOf).find((call) => call.seq === seq);
}
