'use client';

import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { AttemptDto, SessionEventDto } from '@/lib/sessions/schema';
import { isOpenByDefault } from '../fold';
import type { CallItem } from '../log-rows';
import type { LogFacts } from './entry-row';
import { useFeed, useFeedState } from './feed-context';
import { filterRows } from './filter-rows';
import { LogAnnouncer } from './log-announcer';
import { entryOfEvent, logEntries } from './log-entries';
import { LogFooter } from './log-footer';
import { LogInspector } from './log-inspector';
import { LogList, type LogListHandle } from './log-list';
import { LogToolbar } from './log-toolbar';
import { type LogView, writeLogView } from './log-view';
import { Minimap } from './minimap';
import { callsOf, lastCallSeq } from './open-calls';
import { problemAfter } from './problems';
import { searchRows } from './search-rows';
import { emptyFeed, type FeedState, takeIn } from './session-feed';
import { StreamNote } from './stream-note';
import { useFollow } from './use-follow';
import { useLogKeys } from './use-log-keys';

export interface LiveLogProps {
  facts: LogFacts;
  attempts: readonly AttemptDto[];
  /** The first events, drawn by the server; the stream brings those behind them. */
  initial: readonly SessionEventDto[];
  /** Events up to this number are left out: the log is longer than a page can hold. */
  after: number;
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
  const { facts, attempts, initial, isEnded } = props;
  const feed = useFeed();
  const state = useLog(props);
  const [paused, setPaused] = useState<FeedState | null>(null);
  const shown = paused ?? state;
  const [filter, setFilter] = useState(props.view.filter);
  const [query, setQuery] = useState(props.view.query);
  const [marked, setMarked] = useState(props.view.event);
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [selected, setSelected] = useState<number | null>(null);
  const [isAnnounced, setAnnounced] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLOListElement>(null);
  const list = useRef<LogListHandle>(null);
  const searchBox = useRef<HTMLInputElement>(null);
  const hasEnded = isEnded || state.connection.kind === 'ended';

  const rows = useMemo(() => filterRows(shown.log.rows, filter), [shown.log.rows, filter]);
  const entries = useMemo(
    () =>
      logEntries(rows, {
        attempts,
        starts: shown.attemptStarts,
        isComplete: hasEnded && paused === null,
      }),
    [rows, attempts, shown.attemptStarts, hasEnded, paused],
  );
  const words = useDeferredValue(query);
  const matches = useMemo(() => searchRows(rows, words), [rows, words]);
  const lastCall = useMemo(() => lastCallSeq(shown.log.rows), [shown.log.rows]);
  const follow = useFollow(box, content, !hasEnded && props.view.event === null);
  const stoppedAt = useRef(0);
  if (follow.isFollowing) stoppedAt.current = shown.log.lastSeq ?? 0;

  const newestCall = useRef(lastCall);
  newestCall.current = lastCall;
  const toggle = useCallback((call: CallItem) => {
    setSelected(call.seq);
    setChosen((before) => {
      const isOpen = before.get(call.seq) ?? isOpenByDefault(call, call.seq === newestCall.current);
      return new Map(before).set(call.seq, !isOpen);
    });
  }, []);

  const show = useCallback(
    (seq: number, takesFocus: boolean) => {
      const index = entryOfEvent(entries, seq);
      const entry = entries[index];
      if (!entry) return;
      follow.unfollow();
      setMarked(seq);
      if (entry.type === 'row') {
        const call = callsOf(entry.row).find(
          (item) => item.seq === seq || item.result?.seq === seq,
        );
        if (call) {
          setSelected(call.seq);
          setChosen((before) => new Map(before).set(call.seq, true));
        }
      }
      list.current?.scrollTo(index);
      // Drawn only after the scroll where the list is windowed.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          const row = box.current?.querySelector<HTMLElement>(`[data-seq="${seq}"]`);
          row?.scrollIntoView({ block: 'center' });
          if (!row || !takesFocus) return;
          row.tabIndex = -1;
          row.focus({ preventScroll: true });
        }),
      );
    },
    [entries, follow.unfollow],
  );

  const isLinkDone = useRef(props.view.event === null);
  useEffect(() => {
    const { event } = props.view;
    if (isLinkDone.current || event === null || (shown.log.lastSeq ?? 0) < event) return;
    isLinkDone.current = true;
    show(event, true);
  }, [props.view, shown.log.lastSeq, show]);

  useEffect(() => {
    const search = writeLogView({ event: marked, query: words, filter });
    window.history.replaceState(null, '', `${window.location.pathname}${search}`);
  }, [marked, words, filter]);

  const matchIndex = marked === null ? -1 : matches.indexOf(marked);
  const stepMatch = (step: 1 | -1) => {
    if (matches.length === 0) return;
    const from = matchIndex === -1 ? (step === 1 ? -1 : 0) : matchIndex;
    const next = matches[(from + step + matches.length) % matches.length];
    if (next !== undefined) show(next, false);
  };

  useLogKeys({
    onFollow: follow.follow,
    onSearch: () => searchBox.current?.focus(),
    onFoldAll: () =>
      setChosen(new Map(rows.flatMap(callsOf).map((call) => [call.seq, false] as const))),
    onProblem: (step) => {
      const next = problemAfter(rows, marked, step);
      if (next !== null) show(next, true);
    },
  });

  const isEmpty = entries.length === 0;
  const newCount = (shown.log.lastSeq ?? 0) - stoppedAt.current;
  return (
    <div className="flex min-w-0 items-start gap-4">
      <section
        aria-label={`Log of session #${facts.sessionNumber}`}
        className="flex min-w-0 flex-1 flex-col overflow-hidden rounded-card border border-line bg-surface"
      >
        <LogToolbar
          filter={filter}
          onFilter={setFilter}
          counts={shown.log.counts}
          query={query}
          onQuery={setQuery}
          match={words === '' ? null : { index: matchIndex + 1, count: matches.length }}
          onMatch={stepMatch}
          searchBox={searchBox}
          pause={
            hasEnded && !paused
              ? null
              : {
                  isPaused: paused !== null,
                  waiting: paused ? (state.log.lastSeq ?? 0) - (paused.log.lastSeq ?? 0) : 0,
                  toggle: () => setPaused(paused ? null : state),
                }
          }
          isAnnounced={isAnnounced}
          onAnnounced={setAnnounced}
          textHref={props.textHref}
          jsonHref={props.jsonHref}
        />
        <Minimap rows={shown.log.rows} onJump={(seq) => show(seq, true)} />
        {marked === null ? null : (
          // Holds in a windowed list too, where rows come and go.
          <style>{`[data-seq="${marked}"]{outline:2px solid var(--focus);outline-offset:-2px}`}</style>
        )}
        {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex: a scrolling box must be within reach of the keyboard */}
        <div
          ref={box}
          role="log"
          aria-live={isAnnounced ? 'polite' : 'off'}
          aria-label={`Log of session #${facts.sessionNumber}`}
          tabIndex={0}
          className="h-[max(26rem,calc(100dvh-21rem))] overflow-y-auto overscroll-contain bg-surface [overflow-anchor:auto] max-md:h-[max(22rem,calc(100dvh-15rem))]"
        >
          {props.after > 0 ? (
            <p className="px-3 py-2 text-text-2 text-ui">
              Events 1–{props.after.toLocaleString('en')} are not drawn here.{' '}
              <a href={props.textHref} download className="link">
                Download the whole log
              </a>
            </p>
          ) : null}
          {isEmpty ? (
            <p className="px-3 py-6 text-text-2">
              {shown.log.rows.length === 0 ? props.emptyText : 'No event of this kind.'}
            </p>
          ) : null}
          <LogList
            {...{ entries, facts, chosen, lastCall, box, content }}
            onToggle={toggle}
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
          newCount={paused ? 0 : newCount}
          eventCount={shown.log.lastSeq ?? initial.length}
          onFollow={follow.follow}
          onUnfollow={follow.unfollow}
        />
        <LogAnnouncer state={state} sessionNumber={facts.sessionNumber} />
      </section>
      <LogInspector rows={shown.log.rows} seq={selected} facts={facts} />
    </div>
  );
}

/** What the server drew, until the feed has it too and goes on from there. */
function useLog({ initial, after, isWhole }: LiveLogProps): FeedState {
  const feed = useFeed();
  const live = useFeedState();
  const [first] = useState(() => takeIn(emptyFeed, initial));
  const start = useRef({ initial, after, isWhole });

  useEffect(() => {
    const { initial, after, isWhole } = start.current;
    feed?.load(initial, { after, isWhole });
  }, [feed]);

  return (live.log.lastSeq ?? 0) >= (first.log.lastSeq ?? 0)
    ? live
    : { ...first, connection: live.connection };
}
