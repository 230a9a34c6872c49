'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useImperativeHandle } from 'react';
import type { CallItem } from '../log-rows';
import { EntryRow, type LogFacts } from './entry-row';
import type { LogEntry } from './log-entries';
import { openCalls } from './rows';

/** Fewer than four to a row: text, call, result and usage make one. */
const MANY_EVENTS = 8_000;

/** Up to here every row is in the page, so that the browser's own find sees it. */
const MAX_PLAIN_ROWS = 2_000;

export interface LogListHandle {
  /** Brings the entry with this index to the middle. */
  scrollTo: (index: number) => void;
}

interface LogListProps {
  entries: readonly LogEntry[];
  /** Known to come, or 0: a log that will be long is windowed from the start. */
  eventCount: number;
  facts: LogFacts;
  chosen: ReadonlyMap<number, boolean>;
  lastCall: number | null;
  onToggle: (call: CallItem) => void;
  onInspect: (call: CallItem) => void;
  box: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLOListElement | null>;
  handle: RefObject<LogListHandle | null>;
}

/** The entries as a list; above 2,000 only those near the view are drawn. */
export function LogList(props: LogListProps) {
  const isLong = props.entries.length > MAX_PLAIN_ROWS || props.eventCount > MANY_EVENTS;
  return isLong ? <WindowedList {...props} /> : <PlainList {...props} />;
}

// Rows far from the view cost nothing but their place.
const plainStyle =
  'group/entry relative md:[--row-end:2.25rem] [content-visibility:auto] [contain-intrinsic-height:auto_4rem]';

function PlainList({ entries, content, handle, ...props }: LogListProps) {
  useImperativeHandle(handle, () => ({
    scrollTo: (index) => content.current?.children[index]?.scrollIntoView({ block: 'center' }),
  }));
  return (
    <ol ref={content} className="pb-3">
      {entries.map((entry) => (
        <li key={entry.key} className={plainStyle}>
          <Entry entry={entry} {...props} />
        </li>
      ))}
    </ol>
  );
}

const GUESSED_HEIGHT_PX = 88;

function WindowedList({ entries, content, handle, ...props }: LogListProps) {
  const list = useVirtualizer({
    count: entries.length,
    getScrollElement: () => props.box.current,
    estimateSize: () => GUESSED_HEIGHT_PX,
    getItemKey: (index) => entries[index]?.key ?? index,
    overscan: 12,
  });
  useImperativeHandle(handle, () => ({
    scrollTo: (index) => list.scrollToIndex(index, { align: 'center' }),
  }));
  return (
    <ol ref={content} className="relative" style={{ height: list.getTotalSize() }}>
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

type EntryProps = Pick<LogListProps, 'facts' | 'chosen' | 'lastCall' | 'onToggle' | 'onInspect'> & {
  entry: LogEntry;
};

function Entry({ entry, facts, chosen, lastCall, onToggle, onInspect }: EntryProps) {
  const open = entry.type === 'row' ? openCalls(entry.row, chosen, lastCall) : '';
  return (
    <EntryRow entry={entry} facts={facts} open={open} onToggle={onToggle} onInspect={onInspect} />
  );
}
