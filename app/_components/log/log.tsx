'use client';

import { lazy, type ReactNode, Suspense, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useKeys } from '../keys/use-keys';
import { usePreloadedMarkdown } from '../markdown/lazy-markdown';
import { loadPart } from '../reach/load-part';
import { cn } from '../ui/cn';
import type { LogSession } from './entries';
import { EntryList, SessionPart } from './entry-list';
import type { EntryProps } from './entry-row';
import type { LogStates } from './feed';
import { eventCountOf, locate, useParts, useSessionStates } from './log-parts';
import { Minimap } from './minimap';
import { Announcer, StreamNote } from './notes';
import type { LogView } from './places';
import type { LogFilter } from './rows';
import { HIGHLIGHT_STYLE, SearchContext, useHighlights } from './search';
import { Toolbar } from './toolbar';
import { useBoxHeight, useFollow } from './use-follow';
import { useLogAddress } from './use-places';
import { matchesOf, useReading } from './use-reading';

// Nobody sees it before a call is chosen.
const Inspector = lazy(async () => ({
  default: (await loadPart(() => import('./inspector'))).Inspector,
}));

export interface LogProps {
  /** Whose log it is: "Session #8", "Chain #5". */
  name: string;
  sessions: readonly LogSession[];
  /** Of the project: "/acme/projects/checkout". */
  root: string;
  isEnded: boolean;
  /** Null for people who may not change rules. */
  reviewHref: string | null;
  /** Stands in an empty log: why. */
  emptyText: string;
  /** How the chain ended, or where it continues. */
  end: ReactNode;
  /** Of a session's own page; null for a log that is part of the page of its chain. */
  page: {
    view: LogView;
    download: { textHref: string; jsonHref: string };
    next: EntryProps['next'];
  } | null;
}

const PAGE_FILTERS: readonly LogFilter[] = ['all', 'calls', 'denied', 'errors'];
const CHAIN_FILTERS: readonly LogFilter[] = ['all', 'calls', 'decisions', 'problems'];

/**
 * The log of a session, or of the sessions of a chain under their headings, drawn as it comes. It
 * follows the newest output while there is more to come.
 */
export function Log(props: LogProps) {
  const { name, sessions, root, reviewHref, page } = props;
  usePreloadedMarkdown();
  const states = useSessionStates(sessions);
  const [paused, setPaused] = useState<LogStates | null>(null);
  const [filter, setFilter] = useState(page?.view.filter ?? 'all');
  const [query, setQuery] = useState(page?.view.query ?? '');
  const words = useDeferredValue(query);
  const [isAnnounced, setAnnounced] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const searchBox = useRef<HTMLInputElement>(null);

  const parts = useParts(sessions, paused ?? states, filter);
  const own = page ? parts[0] : undefined;
  const hasEnded =
    props.isEnded || (own && states.get(own.session.id))?.connection.kind === 'ended';
  // A chain that ends while it is read keeps its box: nothing jumps.
  const [isBoxed] = useState(page !== null || !props.isEnded);
  useBoxHeight(box, isBoxed && !page);
  const follow = useFollow(box, content, isBoxed && !hasEnded && !page?.view.event);
  const eventCount = eventCountOf(paused ?? states);
  const stoppedAt = useRef(0);
  if (follow.isFollowing) stoppedAt.current = eventCount;

  const view = page?.view ?? null;
  const reading = useReading({ parts, box, follow, view, onLinked: () => setFilter('all') });
  const { marked, inspected } = reading;
  const matches = useMemo(() => matchesOf(parts, words), [parts, words]);
  const currentMatch = useMemo(() => ({ words, marked }), [words, marked]);
  const event = marked === null ? null : (locate(parts, marked)?.seq ?? null);
  useLogAddress(page && { event, query: words, filter });
  useHighlights(box, words, marked);
  useKeys(({ key }) => {
    if (key === '/') return () => searchBox.current?.focus();
    return isBoxed && (key === 'f' || key === 'End') ? follow.follow : null;
  });

  const label = `Log of ${name}`;
  const sum = (count: 'denied' | 'errors') =>
    parts.reduce((all, { state }) => all + state.log.counts[count], 0);
  const isEmpty = parts.every(({ entries }) => entries.every(({ type }) => type === 'note'));
  const { chosen, folded, toggle, list } = reading;
  const shared = { chosen, root, reviewHref, onToggle: toggle, box, handle: list };
  const section = (
    <section
      aria-label={label}
      className="flex min-w-0 flex-1 flex-col overflow-hidden rounded-card border border-line bg-surface"
    >
      {page ? null : <h2 className="sr-only">Log</h2>}
      <Toolbar
        filters={page ? PAGE_FILTERS : CHAIN_FILTERS}
        filter={filter}
        onFilter={setFilter}
        counts={{ denied: sum('denied'), errors: sum('errors') }}
        query={query}
        onQuery={setQuery}
        match={
          words.trim() === ''
            ? null
            : { index: marked === null ? 0 : matches.indexOf(marked) + 1, count: matches.length }
        }
        // Enter may come before the deferred search has seen the last key.
        onMatch={(step) => reading.goToMatch(query, step)}
        searchBox={searchBox}
        pause={
          hasEnded && !paused
            ? null
            : {
                isPaused: paused !== null,
                waiting: eventCountOf(states) - eventCount,
                toggle: () => setPaused(paused ? null : states),
              }
        }
        isAnnounced={isAnnounced}
        onAnnounced={setAnnounced}
        download={page?.download ?? null}
        eventCount={eventCount}
        follow={
          isBoxed
            ? {
                isLive: !hasEnded,
                isFollowing: follow.isFollowing,
                newCount: paused ? 0 : eventCount - stoppedAt.current,
                onFollow: follow.follow,
                onUnfollow: follow.unfollow,
              }
            : null
        }
      />
      {own ? <Minimap rows={own.allRows} onJump={(seq) => reading.showEvent(own, seq)} /> : null}
      <style>{HIGHLIGHT_STYLE}</style>
      {marked === null ? null : (
        // Holds in a windowed list too, where rows come and go.
        <style>{`#${marked}{outline:2px solid var(--focus);outline-offset:-2px}`}</style>
      )}
      {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex: a scrolling box must be within reach of the keyboard */}
      <div
        ref={box}
        role="log"
        aria-live={isAnnounced ? 'polite' : 'off'}
        aria-label={label}
        {...(isBoxed ? { tabIndex: 0 } : {})}
        className={cn(
          isBoxed && 'overflow-y-auto overscroll-contain -outline-offset-2',
          page && 'min-h-0 flex-1',
          isBoxed && !page && 'h-[max(13rem,calc(100dvh-40rem))] max-md:h-[calc(100dvh-11rem)]',
        )}
      >
        {isEmpty && (page || sessions.length === 0) ? (
          <p className="px-3 py-6 text-text-2">
            {parts.every(({ allRows }) => allRows.length === 0)
              ? props.emptyText
              : 'No event of this kind.'}
          </p>
        ) : null}
        <SearchContext value={currentMatch}>
          <div ref={content}>
            {own ? (
              <EntryList part={own} {...shared} next={page?.next} onInspect={reading.details} />
            ) : (
              <ol className="pb-2">
                {parts.map((part) => (
                  <SessionPart
                    key={part.session.id}
                    part={part}
                    {...shared}
                    isFolded={folded.has(part.session.id)}
                    onFold={reading.fold}
                  />
                ))}
                {props.end ? (
                  <li className="border-line border-t px-4 py-3 font-medium text-ui">
                    {props.end}
                  </li>
                ) : null}
              </ol>
            )}
          </div>
        </SearchContext>
      </div>
      {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex: as above */}
      <StreamNote states={[...states.values()]} />
      {page && hasEnded ? props.end : null}
      <Announcer
        name={name}
        sessions={sessions}
        count={eventCountOf(states)}
        denied={sum('denied')}
        hasEnded={hasEnded}
      />
    </section>
  );
  if (!page) return section;
  return (
    <div data-fills-viewport className="flex h-0 min-h-72 min-w-0 grow gap-3">
      {section}
      {inspected ? (
        <Suspense>
          <Inspector
            call={inspected.call}
            session={inspected.part.session}
            onClose={reading.closeDetails}
          />
        </Suspense>
      ) : null}
    </div>
  );
}
