'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronRight } from 'lucide-react';
import { memo, type RefObject, useImperativeHandle, useMemo } from 'react';
import { Link } from '@/app/_components/ui/link';
import { Duration } from '../status/duration';
import type { StateOf } from '../status/states';
import { StatusBadge } from '../status/status-badge';
import { TierMark } from '../status/tier-mark';
import { cn } from '../ui/cn';
import { type RowScope, RowScopeContext } from './call-row';
import type { LogEntry } from './entries';
import { type EntryProps, EntryRow } from './entry-row';
import { type ChosenCalls, openIn, type Part } from './log-parts';
import { placeOf } from './places';

/** Fewer than four to a row: text, call, result and usage make one. */
const MANY_EVENTS = 8_000;

/** Up to here every row is in the page, so that the browser's own find sees it. */
const MAX_PLAIN_ROWS = 2_000;

export interface ListHandle {
  /** Brings the entry with this index to the middle. */
  scrollTo: (index: number) => void;
}

interface EntryListProps {
  part: Part;
  chosen: ChosenCalls;
  /** Of the project: "/acme/projects/checkout". */
  root: string;
  reviewHref: string | null;
  next?: EntryProps['next'];
  onToggle: (id: string, isOpen: boolean) => void;
  /** Without it, calls have no details beside the log. */
  onInspect?: ((id: string) => void) | undefined;
  box: RefObject<HTMLDivElement | null>;
  /** Set while only the entries near the view are drawn. */
  handle: RefObject<ListHandle | null>;
}

/** The entries of a session as a list; above 2,000 of its own log only those near the view are drawn. */
export function EntryList(props: EntryListProps) {
  const { part, root, reviewHref, onToggle, onInspect } = props;
  const { session, state, entries } = part;
  const scope = useMemo((): RowScope => {
    const { number, tier, tools } = session;
    return {
      ...{ tier, tools, reviewHref },
      ...(session.part
        ? { sessionNumber: number }
        : { reportHref: `${root}/sessions/${number}/report` }),
      onToggle: (call, isOpen) => onToggle(placeOf(session, call.seq), isOpen),
      ...(onInspect ? { onInspect: (call) => onInspect(placeOf(session, call.seq)) } : {}),
    };
  }, [session, root, reviewHref, onToggle, onInspect]);
  // Known to come: a log that will be long is windowed from the start.
  const events = Math.max(session.lastSeq - session.log.after, state.log.lastSeq ?? 0);
  const isLong = entries.length > MAX_PLAIN_ROWS || (events > MANY_EVENTS && !part.isFiltered);
  return (
    <RowScopeContext value={scope}>
      {isLong && !session.part ? <WindowedList {...props} /> : <PlainList {...props} />}
    </RowScopeContext>
  );
}

/** From here on rows far from the view cost nothing but their place. */
const MANY_ENTRIES = 200;
const farAwayStyle = '[content-visibility:auto] [contain-intrinsic-height:auto_4rem]';

function PlainList(props: EntryListProps) {
  const { entries, session } = props.part;
  const rowStyle = cn(
    'group/entry relative md:[--row-end:2.25rem]',
    entries.length > MANY_ENTRIES && farAwayStyle,
  );
  return (
    <ol id={`session-${session.number}-log`} className="pb-3">
      {entries.map((entry) => (
        <li key={entry.key} className={rowStyle}>
          <Entry entry={entry} {...props} />
        </li>
      ))}
    </ol>
  );
}

const GUESSED_HEIGHT_PX = 88;

function WindowedList(props: EntryListProps) {
  const { entries } = props.part;
  const list = useVirtualizer({
    count: entries.length,
    getScrollElement: () => props.box.current,
    estimateSize: () => GUESSED_HEIGHT_PX,
    getItemKey: (index) => entries[index]?.key ?? index,
    overscan: 12,
  });
  useImperativeHandle(props.handle, () => ({
    scrollTo: (index) => list.scrollToIndex(index, { align: 'center' }),
  }));
  return (
    <ol className="relative" style={{ height: list.getTotalSize() }}>
      {list.getVirtualItems().map((item) => {
        const entry = entries[item.index];
        if (!entry) return null;
        return (
          <li
            key={item.key}
            ref={list.measureElement}
            data-index={item.index}
            aria-setsize={entries.length}
            aria-posinset={item.index + 1}
            className="group/entry absolute inset-x-0 top-0 md:[--row-end:2.25rem]"
            style={{ transform: `translateY(${item.start}px)` }}
          >
            <Entry entry={entry} {...props} />
          </li>
        );
      })}
    </ol>
  );
}

function Entry({ entry, part, chosen, root, next }: EntryListProps & { entry: LogEntry }) {
  return (
    <EntryRow
      entry={entry}
      session={part.session}
      base={`${root}/sessions/${part.session.number}`}
      next={next}
      open={entry.type === 'row' ? openIn(part, entry.row, chosen) : ''}
    />
  );
}

interface SessionPartProps extends EntryListProps {
  isFolded: boolean;
  onFold: (sessionId: string, isFolded: boolean) => void;
}

/** A session in the log of its chain: which tier, then what it did. */
export const SessionPart = memo(function SessionPart(props: SessionPartProps) {
  const { isFolded, onFold } = props;
  const { session, state } = props.part;
  const { id, number, tier, part, endedAt } = session;
  const status = state.standing?.status ?? part?.status;
  return (
    <li
      aria-label={`Tier ${tier}, Session #${number}`}
      className="border-line border-t first:border-t-0"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-sunken px-3 py-1.5 text-text-2 text-ui tabular-nums">
        <h3 className="font-medium text-text">
          <button
            type="button"
            aria-expanded={!isFolded}
            aria-controls={isFolded ? undefined : `session-${number}-log`}
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
        <Link
          href={`${props.root}/sessions/${number}`}
          className="link inline-flex min-h-6 items-center"
        >
          Session #{number}
        </Link>
        <span>{part?.model}</span>
        {part?.isUnconfined ? <span className="text-wait-fg">not confined</span> : null}
        {part?.startedAt ? <Duration from={part.startedAt} to={endedAt} /> : null}
        <StatusBadge kind="session" state={status as StateOf<'session'>} className="ml-auto" />
      </div>
      {isFolded ? null : <EntryList {...props} />}
    </li>
  );
});
