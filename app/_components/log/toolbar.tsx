'use client';

import { ArrowDown, ArrowDownToLine, ArrowUp, Download, Pause, Play, Search } from 'lucide-react';
import type { KeyboardEvent, RefObject } from 'react';
import { formatCount, formatCounted } from '@/lib/platform/format/count';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { Input } from '../ui/input';
import { Menu, MenuChoice, MenuItem } from '../ui/menu';
import type { LogFilter } from './rows';

interface ToolbarProps {
  /** The filters to choose from. */
  filters: readonly LogFilter[];
  filter: LogFilter;
  onFilter: (filter: LogFilter) => void;
  counts: { denied: number; errors: number };
  query: string;
  onQuery: (query: string) => void;
  /** Place among the matches, from 1 (0: at none of them); null while nothing is searched for. */
  match: { index: number; count: number } | null;
  onMatch: (step: 1 | -1) => void;
  searchBox: RefObject<HTMLInputElement | null>;
  /** Null once nothing more comes. */
  pause: { isPaused: boolean; waiting: number; toggle: () => void } | null;
  isAnnounced: boolean;
  onAnnounced: (isAnnounced: boolean) => void;
  /** Null where the log is part of a page with more. */
  download: { textHref: string; jsonHref: string } | null;
  eventCount: number;
  /** Null in a log that doesn't scroll by itself. */
  follow: FollowProps | null;
}

const WORDS: Record<LogFilter, string> = {
  all: 'All',
  calls: 'Calls',
  denied: 'Denied',
  errors: 'Errors',
  decisions: 'Decisions',
  problems: 'Problems',
};

export function Toolbar(props: ToolbarProps) {
  const { filter, counts, pause } = props;
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-b px-3 py-1.5">
      <SearchField {...props} />
      <fieldset className="inline-flex rounded-control border border-control/60 bg-surface p-0.5">
        <legend className="sr-only">Show</legend>
        {props.filters.map((choice) => (
          <button
            key={choice}
            type="button"
            aria-pressed={filter === choice}
            onClick={() => props.onFilter(choice)}
            className={cn(
              'inline-flex h-[calc(var(--control-height)-6px)] items-center gap-1.5 rounded-badge px-2 font-medium text-text-2 text-ui whitespace-nowrap hover:text-text',
              filter === choice && 'bg-ink text-on-ink hover:text-on-ink',
            )}
          >
            {WORDS[choice]}
            {choice === 'denied' || choice === 'errors' ? (
              <span className="tabular-nums">{counts[choice]}</span>
            ) : null}
          </button>
        ))}
      </fieldset>
      <div className="ml-auto flex flex-wrap items-center gap-2">
        <span
          data-event-count={props.eventCount}
          className="text-meta text-text-3 tabular-nums max-md:hidden"
        >
          {formatCounted(props.eventCount, 'event')}
        </span>
        {props.follow ? <FollowButton {...props.follow} /> : null}
        {pause ? (
          <Button
            onClick={pause.toggle}
            aria-label={
              pause.isPaused
                ? `Resume, ${formatCounted(pause.waiting, 'event')} waiting`
                : 'Pause the log'
            }
          >
            {pause.isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
            {pause.isPaused ? (
              `Resume (${formatCount(pause.waiting)} waiting)`
            ) : (
              <span className="max-md:sr-only">Pause</span>
            )}
          </Button>
        ) : null}
        <ReadingMenu {...props} />
      </div>
    </div>
  );
}

function ReadingMenu({ download, isAnnounced, onAnnounced }: ToolbarProps) {
  if (!download) return null;
  return (
    <Menu
      trigger={
        <Button look="quiet" size="icon" aria-label="Download and reading">
          <Download aria-hidden />
        </Button>
      }
    >
      <MenuItem asChild>
        <a href={download.textHref} download>
          Download as text
        </a>
      </MenuItem>
      <MenuItem asChild>
        <a href={download.jsonHref} target="_blank" rel="noreferrer">
          Events as JSON
        </a>
      </MenuItem>
      <MenuChoice
        label="Screen reader"
        value={isAnnounced ? 'each' : 'summary'}
        onChange={(choice) => onAnnounced(choice === 'each')}
        choices={[
          { value: 'summary', label: 'Announce a summary' },
          { value: 'each', label: 'Announce each event' },
        ]}
      />
    </Menu>
  );
}

function SearchField({ query, onQuery, match, onMatch, searchBox }: ToolbarProps) {
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') {
      event.preventDefault();
      onMatch(event.shiftKey ? -1 : 1);
    }
    if (event.key === 'Escape') onQuery('');
  }
  return (
    <search className="relative flex min-w-48 flex-1 items-center md:max-w-80">
      <Search aria-hidden className="pointer-events-none absolute left-2.5 size-4 text-text-3" />
      <Input
        ref={searchBox}
        type="search"
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={onKeyDown}
        aria-label="Search the log"
        placeholder="Search the log"
        className={cn('pl-8', match && 'pr-28')}
      />
      {match ? (
        <span className="absolute right-1 flex items-center text-meta text-text-2 tabular-nums">
          <span role="status" className="px-1">
            {match.index === 0 ? `${match.count} found` : `${match.index} of ${match.count}`}
          </span>
          <Button
            look="quiet"
            size="icon-sm"
            aria-label="Previous match"
            onClick={() => onMatch(-1)}
          >
            <ArrowUp aria-hidden />
          </Button>
          <Button look="quiet" size="icon-sm" aria-label="Next match" onClick={() => onMatch(1)}>
            <ArrowDown aria-hidden />
          </Button>
        </span>
      ) : null}
    </search>
  );
}

interface FollowProps {
  isLive: boolean;
  isFollowing: boolean;
  /** Since following was turned off. */
  newCount: number;
  onFollow: () => void;
  onUnfollow: () => void;
}

/** Says whether the log is followed, and leads to its end. */
function FollowButton(props: FollowProps) {
  const { isLive, isFollowing, newCount, onFollow, onUnfollow } = props;
  if (!isLive) {
    return (
      <Button look="quiet" onClick={onFollow}>
        <ArrowDownToLine aria-hidden />
        <span className="max-md:sr-only">Jump to the end</span>
      </Button>
    );
  }
  return (
    <Button
      look={isFollowing ? 'quiet' : 'secondary'}
      aria-pressed={isFollowing}
      onClick={isFollowing ? onUnfollow : onFollow}
      className="tabular-nums"
    >
      <ArrowDownToLine aria-hidden />
      {isFollowing || newCount === 0 ? (
        <span className="max-md:sr-only">{isFollowing ? 'Following' : 'Follow'}</span>
      ) : (
        <span>
          {formatCount(newCount)} new<span className="max-md:sr-only"> · Jump to latest</span>
        </span>
      )}
    </Button>
  );
}
