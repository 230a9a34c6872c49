'use client';

import {
  CircleX,
  Ellipsis,
  Info,
  type LucideIcon,
  Minus,
  Terminal,
  TriangleAlert,
  Unplug,
} from 'lucide-react';
import { memo, type ReactNode, use, useMemo } from 'react';
import { formatTokens } from '@/lib/platform/format/count';
import { formatDuration } from '@/lib/platform/format/duration';
import { formatFullTime, formatLogTime } from '@/lib/platform/format/time';
import type { Level } from '@/lib/protocol/events';
import { LazyMarkdown } from '../markdown/lazy-markdown';
import { displayTimeZone } from '../shell/preferences';
import { usePreferences } from '../shell/preferences-context';
import { useFullTimeTips } from '../status/full-time-tip';
import { cn } from '../ui/cn';
import { SafeText } from '../ui/safe-text';
import { CallRow, RowScopeContext } from './call-row';
import { type EventText, eventText } from './event-text';
import type { LogItem, LogRow as LogRowData, RequestRow, RowEvent } from './events';
import { OutputBlock } from './output-block';
import { rowId } from './places';

interface LogRowProps {
  row: LogRowData;
  /** Sequence numbers of the open calls, by commas. */
  open: string;
  /** Without times, usage and the names of requests: in a conversation. */
  isBare?: boolean;
}

/** Any row of the log. Drawn again only when it changed or one of its calls was folded. */
export const LogRow = memo(function LogRow({ row, open, isBare = false }: LogRowProps) {
  const openSeqs = useMemo(() => new Set(open.split(',').map(Number)), [open]);
  switch (row.type) {
    case 'request':
      return isBare ? (
        <LogItems items={row.items} open={openSeqs} />
      ) : (
        <Request row={row} open={openSeqs} />
      );
    case 'event':
      return <EventLine event={row.event} aside={isBare ? null : <LogTime at={row.at} />} />;
    case 'missing': {
      const isOne = row.seq === row.lastSeq;
      return (
        <LogLine
          seq={row.seq}
          icon={<Unplug className="text-wait-mark" />}
          className="text-wait-fg"
        >
          {isOne ? `Event ${row.seq} is missing.` : `Events ${row.seq}–${row.lastSeq} are missing.`}
        </LogLine>
      );
    }
  }
});

interface LogItemsProps {
  items: readonly LogItem[];
  open: ReadonlySet<number>;
}

/** Texts and calls in order, with what a sub-agent did below its call. */
function LogItems({ items, open }: LogItemsProps) {
  const scope = use(RowScopeContext);
  return items.map((item) =>
    item.type === 'text' ? (
      <div
        key={item.seq}
        id={rowId(scope, item.seq)}
        data-seq={item.seq}
        className="py-1 pr-(--row-end,0.75rem) pl-9"
      >
        {item.isUnfinished ? <UnfinishedMark /> : null}
        <LazyMarkdown text={item.text} />
      </div>
    ) : (
      <CallRow key={item.seq} call={item} isOpen={open.has(item.seq)}>
        {item.items.length > 0 ? (
          <div className="my-1 ml-8 border-line border-l">
            <LogItems items={item.items} open={open} />
          </div>
        ) : null}
      </CallRow>
    ),
  );
}

/** Above what an agent wrote of an answer that never came to its end. */
export function UnfinishedMark() {
  return (
    <p className="mb-1 flex items-center gap-1.5 text-meta text-text-3">
      <Ellipsis aria-hidden className="size-3.5" />
      Unfinished answer
    </p>
  );
}

/** One model request: "Request 3 · 14:52:08.120 · 2.1s · 14.2k in · 310 out", text and calls. */
function Request({ row, open }: { row: RequestRow; open: ReadonlySet<number> }) {
  const { sessionNumber } = use(RowScopeContext);
  const { usage } = row;
  const tokensIn = usage && usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const facts = [
    row.sentAt && formatDuration(Date.parse(row.answeredAt) - Date.parse(row.sentAt)),
    tokensIn === null ? null : `${formatTokens(tokensIn)} in`,
    // What a request that was cut off had said so far is no final figure.
    usage?.final ? `${formatTokens(usage.outputTokens)} out` : null,
  ].filter((fact) => fact !== null);
  const label = `Request ${row.number}`;
  return (
    <section
      aria-label={sessionNumber === undefined ? label : `${label} of Session #${sessionNumber}`}
      className="pb-2"
    >
      <div
        data-facts
        className="flex flex-wrap items-center gap-x-3 pt-3 pr-(--row-end,0.75rem) pb-1 pl-3 text-meta text-text-3 tabular-nums"
      >
        <span className="text-text-2">{label}</span>
        <LogTime at={row.at} />
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        <span aria-hidden className="h-px min-w-4 flex-1 bg-line" />
      </div>
      <LogItems items={row.items} open={open} />
    </section>
  );
}

const LEVELS: Record<Level, { icon: LucideIcon; mark: string; row: string; word: string }> = {
  info: { icon: Info, mark: 'text-idle-mark', row: 'border-transparent', word: 'Info' },
  warning: {
    icon: TriangleAlert,
    mark: 'text-wait-mark',
    row: 'border-wait-mark bg-wait-bg',
    word: 'Warning',
  },
  critical: {
    icon: CircleX,
    mark: 'text-bad-mark',
    row: 'border-bad-mark bg-bad-bg',
    word: 'Critical',
  },
};

const TONES: Record<EventText['tone'], string> = {
  plain: 'text-text-2',
  wait: 'text-wait-fg',
  bad: 'text-bad-fg',
};

/** An event with a row of its own: a notice, an output, or one quiet line. */
function EventLine({ event, aside }: { event: RowEvent; aside: ReactNode }) {
  const { seq } = event;
  const id = rowId(use(RowScopeContext), seq);
  const { text, tone } = eventText(event);
  switch (event.kind) {
    case 'notice': {
      const { icon: Icon, mark, row, word } = LEVELS[event.level];
      return (
        <LogLine seq={seq} icon={<Icon className={mark} />} aside={aside} className={row}>
          <p>
            <span className="sr-only">{word}: </span>
            <SafeText text={event.message} />{' '}
            <code className="text-meta text-text-3">{event.code}</code>
          </p>
        </LogLine>
      );
    }
    case 'tool_result':
      return (
        <LogLine seq={seq} aside={aside}>
          <OutputBlock
            text={text}
            stream={event.isError ? 'stderr' : 'stdout'}
            rowId={id}
            cutBytes={event.cutBytes}
          />
        </LogLine>
      );
    case 'stderr':
      // What the CLI itself printed, outside any call.
      return (
        <LogLine seq={seq} icon={<Terminal className="text-text-3" />} aside={aside}>
          <OutputBlock text={text} stream="stderr" rowId={id} />
        </LogLine>
      );
    default:
      return (
        <LogLine seq={seq} icon={<Minus className="text-text-3" />} aside={aside}>
          <p className={cn('[overflow-wrap:anywhere]', TONES[tone])}>
            <SafeText text={text} />
          </p>
        </LogLine>
      );
  }
}

interface LogLineProps {
  seq: number;
  icon?: ReactNode;
  children: ReactNode;
  /** Time, exit, duration: at the right end. */
  aside?: ReactNode;
  className?: string | undefined;
}

/** The frame that all single rows of the log share: mark column, words, facts at the right. */
export function LogLine({ seq, icon, children, aside, className }: LogLineProps) {
  const scope = use(RowScopeContext);
  return (
    <div
      id={rowId(scope, seq)}
      data-seq={seq}
      className={cn(
        'grid grid-cols-[1rem_minmax(0,1fr)_auto] items-start gap-x-2 border-transparent border-l-2 py-1 pr-(--row-end,0.75rem) pl-2.5 text-ui target:outline-2 target:outline-focus target:-outline-offset-2',
        className,
      )}
    >
      <span aria-hidden className="flex h-4.5 items-center justify-center [&_svg]:size-3.5">
        {icon}
      </span>
      <div className="min-w-0">{children}</div>
      {aside ? (
        <div data-facts className="flex items-center gap-3 text-meta text-text-3 tabular-nums">
          {aside}
        </div>
      ) : null}
    </div>
  );
}

/**
 * A row's time to the millisecond, in the reader's zone. Its full form comes on hover, and while
 * its row has keyboard focus: a stop of Tab for each row would make a log impassable.
 */
export function LogTime({ at }: { at: string }) {
  const zone = displayTimeZone(usePreferences().preferences);
  useFullTimeTips();
  const moment = new Date(at);
  return (
    <time dateTime={at} data-full-time={formatFullTime(moment, zone)} className="whitespace-nowrap">
      {formatLogTime(moment, zone)}
    </time>
  );
}
