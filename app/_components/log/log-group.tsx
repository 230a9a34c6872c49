'use client';

import type { ReactNode } from 'react';
import { LazyMarkdown } from '../markdown/lazy-markdown';
import { CallRow } from './call-row';
import type { CallItem, LogItem, RequestRow } from './log-rows';
import { RequestHeader } from './request-header';
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
  return (
    <section aria-label={`Request ${row.number}`} className="pb-2">
      <RequestHeader row={row} />
      <LogItems items={row.items} {...callProps} />
    </section>
  );
}

type LogItemsProps = Omit<LogGroupProps, 'row'> & { items: readonly LogItem[] };

/** Texts and calls, in their order. */
export function LogItems({ items, ...callProps }: LogItemsProps) {
  return items.map((item) =>
    item.type === 'text' ? (
      <div key={item.seq} id={`event-${item.seq}`} data-seq={item.seq} className="py-1 pr-3 pl-9">
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
