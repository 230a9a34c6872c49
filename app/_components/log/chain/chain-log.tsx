'use client';

import { ArrowDownToLine } from 'lucide-react';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { useKeys } from '../../keys/use-keys';
import { usePreloadedMarkdown } from '../../markdown/lazy-markdown';
import { Button } from '../../ui/button';
import { cn } from '../../ui/cn';
import { StreamNote } from '../live/stream-note';
import { useFollow } from '../live/use-follow';
import type { CallItem } from '../log-rows';
import { ChainAnnouncer } from './chain-announcer';
import { CHAIN_FILTERS, type ChainFilter } from './chain-entries';
import { useChainFeed, useChainFeedState } from './chain-feed-context';
import { eventAnchor } from './chain-session';
import { SessionPart } from './session-part';
import { useLinkedEvent } from './use-linked-event';

export interface ChainLogProps {
  chainNumber: number;
  /** Of the project: "/acme/projects/checkout". */
  root: string;
  isEnded: boolean;
  /** Null for people who may not change rules. */
  reviewHref: string | null;
  /** Stands in a log without any session: why there is none. */
  emptyText: string;
  /** How the chain ended. */
  end: ReactNode;
}

const WORDS: Record<ChainFilter, string> = {
  all: 'All',
  commands: 'Commands',
  decisions: 'Decisions',
  problems: 'Problems',
};

/** One log over all sessions of a chain. While the chain runs it follows the newest output. */
export function ChainLog(props: ChainLogProps) {
  const { chainNumber, root, isEnded, reviewHref } = props;
  usePreloadedMarkdown();
  const { feed, sessions } = useChainFeed();
  const state = useChainFeedState();
  const [filter, setFilter] = useState<ChainFilter>('all');
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLOListElement>(null);
  // A chain that ends while it is read keeps its box: nothing jumps.
  const [isBoxed] = useState(!isEnded);
  const follow = useFollow(box, content, isBoxed && !isEnded);

  const rows = [...state.values()].reduce((sum, { feed: { log } }) => sum + log.rows.length, 0);
  const count = rows + sessions.length;
  const seen = useRef(count);
  if (follow.isFollowing) seen.current = count;

  const toggleCall = useCallback((sessionId: string, call: CallItem, isOpen: boolean) => {
    setChosen((before) => new Map(before).set(`${sessionId} ${call.seq}`, !isOpen));
  }, []);
  const fold = useCallback((sessionId: string, isFolded: boolean) => {
    setFolded((before) => {
      const next = new Set(before);
      if (isFolded) next.add(sessionId);
      else next.delete(sessionId);
      return next;
    });
  }, []);

  const { unfollow } = follow;
  const linked = useLinkedEvent((sessionNumber, seq) => {
    const session = sessions.find(({ number }) => number === sessionNumber);
    if (!session) return;
    unfollow();
    setFilter('all');
    fold(session.id, false);
    setChosen((before) => new Map(before).set(`${session.id} ${seq}`, true));
  });
  useKeys(({ key }) => (key === 'f' || key === 'End' ? follow.follow : null));

  const broken = [...state.values()].find(
    ({ feed: { connection } }) => connection.kind === 'broken' || connection.kind === 'refused',
  );
  const label = `Log of Chain #${chainNumber}`;
  return (
    <section
      aria-label={label}
      className="flex min-w-0 flex-col overflow-hidden rounded-card border border-line bg-surface"
    >
      <header className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-4 py-2">
        <h2 className="text-card">Log</h2>
        <FilterField filter={filter} onFilter={setFilter} />
      </header>
      {linked ? (
        <style>{`#${eventAnchor(linked.sessionNumber, linked.seq)}{outline:2px solid var(--focus);outline-offset:-2px}`}</style>
      ) : null}
      {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex: a scrolling box must be within reach of the keyboard */}
      <div
        ref={box}
        role="log"
        aria-live="off"
        aria-label={label}
        {...(isBoxed ? { tabIndex: 0 } : {})}
        className={cn(
          isBoxed &&
            'h-[max(26rem,calc(100dvh-11rem))] overflow-y-auto overscroll-contain max-md:h-[max(22rem,calc(100dvh-13rem))]',
        )}
      >
        {sessions.length === 0 ? <p className="px-4 py-6 text-text-2">{props.emptyText}</p> : null}
        <ol ref={content} className="pb-2">
          {sessions.map((session) => (
            <SessionPart
              key={session.id}
              session={session}
              state={state.get(session.id)}
              isFolded={folded.has(session.id)}
              onFold={fold}
              filter={filter}
              chosen={chosen}
              onToggleCall={toggleCall}
              root={root}
              reviewHref={reviewHref}
            />
          ))}
          {props.end ? (
            <li className="border-line border-t px-4 py-3 font-medium text-ui">{props.end}</li>
          ) : null}
        </ol>
      </div>
      {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex: as above */}
      {broken ? (
        <StreamNote
          connection={broken.feed.connection}
          lastSeq={broken.feed.log.lastSeq ?? 0}
          onReconnect={feed.reconnect}
        />
      ) : null}
      {isBoxed ? (
        <footer className="flex min-h-11 items-center justify-end gap-3 border-line border-t px-3 py-1.5">
          <FollowButton
            isLive={!isEnded}
            isFollowing={follow.isFollowing}
            newCount={count - seen.current}
            onFollow={follow.follow}
            onUnfollow={unfollow}
          />
        </footer>
      ) : null}
      <ChainAnnouncer
        sessions={sessions}
        count={count}
        chainNumber={chainNumber}
        isEnded={isEnded}
      />
    </section>
  );
}

interface FilterFieldProps {
  filter: ChainFilter;
  onFilter: (filter: ChainFilter) => void;
}

function FilterField({ filter, onFilter }: FilterFieldProps) {
  return (
    <fieldset className="inline-flex rounded-control border border-control/60 bg-surface p-0.5">
      <legend className="sr-only">Show</legend>
      {CHAIN_FILTERS.map((choice) => (
        <button
          key={choice}
          type="button"
          aria-pressed={filter === choice}
          onClick={() => onFilter(choice)}
          className={cn(
            'inline-flex h-[calc(var(--control-height)-6px)] items-center rounded-badge px-2 font-medium text-text-2 text-ui whitespace-nowrap hover:text-text',
            filter === choice && 'bg-ink text-on-ink hover:text-on-ink',
          )}
        >
          {WORDS[choice]}
        </button>
      ))}
    </fieldset>
  );
}

interface FollowButtonProps {
  isLive: boolean;
  isFollowing: boolean;
  newCount: number;
  onFollow: () => void;
  onUnfollow: () => void;
}

function FollowButton(props: FollowButtonProps) {
  const { isLive, isFollowing, newCount, onFollow, onUnfollow } = props;
  if (!isLive) {
    return (
      <Button size="sm" look="quiet" onClick={onFollow}>
        <ArrowDownToLine aria-hidden />
        Jump to the end
      </Button>
    );
  }
  const words = newCount > 0 ? `${newCount.toLocaleString('en')} new · Jump to latest` : 'Follow';
  return (
    <Button
      size="sm"
      look={isFollowing ? 'quiet' : 'secondary'}
      aria-pressed={isFollowing}
      onClick={isFollowing ? onUnfollow : onFollow}
    >
      <ArrowDownToLine aria-hidden />
      {isFollowing ? 'Following' : words}
    </Button>
  );
}
