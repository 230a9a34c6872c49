'use client';

import type { ReactNode } from 'react';
import { formatCost } from '@/lib/platform/format/cost';
import { formatTokens } from '@/lib/platform/format/count';
import { formatDuration } from '@/lib/platform/format/duration';
import { LazyMarkdown } from '../markdown/lazy-markdown';
import { CallRow } from './call-row';
import { useEventId, useRequestSuffix } from './event-id';
import type { CallItem, LogItem, RequestRow } from './log-rows';
import { LogTime } from './log-time';
import { UnfinishedMark } from './unfinished-mark';

export interface LogGroupProps {
  row: RequestRow;
  isCallOpen: (call: CallItem) => boolean;
  onToggleCall: (call: CallItem) => void;
  /** Why a call was refused: a Denial. */
  denialOf: (call: CallItem) => ReactNode;
  rawHref?: (call: CallItem) => string;
}

/** One model request: header, text, calls; what a sub-agent did stands below its call. */
export function LogGroup({ row, ...callProps }: LogGroupProps) {
  const suffix = useRequestSuffix();
  return (
    <section aria-label={`Request ${row.number}${suffix}`} className="pb-2">
      <RequestHeader row={row} />
      <LogItems items={row.items} {...callProps} />
    </section>
  );
}

type LogItemsProps = Omit<LogGroupProps, 'row'> & { items: readonly LogItem[] };

/** Texts and calls, in their order. */
export function LogItems({ items, ...callProps }: LogItemsProps) {
  const eventId = useEventId();
  return items.map((item) =>
    item.type === 'text' ? (
      <div key={item.seq} id={eventId(item.seq)} data-seq={item.seq} className="py-1 pr-3 pl-9">
        {item.isUnfinished ? <UnfinishedMark /> : null}
        <LazyMarkdown text={item.text} />
      </div>
    ) : (
      <CallRow
        key={item.seq}
        call={item}
        isOpen={callProps.isCallOpen(item)}
        onToggle={callProps.onToggleCall}
        denial={callProps.denialOf(item)}
        {...(callProps.rawHref ? { rawHref: callProps.rawHref } : {})}
      >
        {item.items.length > 0 ? (
          <div className="my-1 ml-8 border-line border-l">
            <LogItems items={item.items} {...callProps} />
          </div>
        ) : null}
      </CallRow>
    ),
  );
}

interface RequestHeaderProps {
  row: RequestRow;
  /** Where the ledger knows it for a single request. */
  costMicros?: number | null;
}

/** "Request 3 · 14:52:08.120 · 2.1s · 14.2k in · 310 out". */
function RequestHeader({ row, costMicros = null }: RequestHeaderProps) {
  const { usage } = row;
  const tokensIn = usage && usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const facts = [
    row.sentAt && formatDuration(Date.parse(row.answeredAt) - Date.parse(row.sentAt)),
    tokensIn === null ? null : `${formatTokens(tokensIn)} in`,
    // What a request that was cut off had said so far is no final figure.
    usage?.final ? `${formatTokens(usage.outputTokens)} out` : null,
    costMicros === null ? null : formatCost(costMicros),
  ].filter((fact) => fact !== null);
  return (
    <div className="flex flex-wrap items-center gap-x-3 px-3 pt-3 pb-1 text-meta text-text-3 tabular-nums">
      <span className="text-text-2">Request {row.number}</span>
      <LogTime at={row.at} />
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
      <span aria-hidden className="h-px min-w-4 flex-1 bg-line" />
    </div>
  );
}
