'use client';

import { Minus, Terminal, Unplug } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { cn } from '../ui/cn';
import { SafeText } from '../ui/safe-text';
import { LogGroup, type LogGroupProps } from './log-group';
import { LogLine } from './log-line';
import type {
  LogRow as LogRowData,
  MetaRow as MetaRowData,
  MissingRow as MissingRowData,
  StderrRow as StderrRowData,
} from './log-rows';
import { LogTime } from './log-time';
import { type MetaText, metaText } from './meta-text';
import { NoticeRow } from './notice-row';
import { OutputBlock } from './output-block';

interface LogRowProps extends Omit<LogGroupProps, 'row'> {
  row: LogRowData;
}

/** Any row of the log. Drawn again only when the row is another object or a handler changed. */
export const LogRow = memo(function LogRow({ row, ...callProps }: LogRowProps) {
  const time = <LogTime at={row.at} />;
  switch (row.type) {
    case 'request':
      return <LogGroup row={row} {...callProps} />;
    case 'meta':
      return <MetaRow row={row} aside={time} />;
    case 'notice':
      return <NoticeRow row={row} aside={time} />;
    case 'stderr':
      return <StderrRow row={row} aside={time} />;
    case 'missing':
      return <MissingRow row={row} />;
    case 'late_result':
      return (
        <LogLine seq={row.seq} aside={time}>
          <OutputBlock
            text={row.result.stdout ?? row.result.content}
            stream={row.result.isError ? 'stderr' : 'stdout'}
            seq={row.seq}
            cutBytes={row.result.cutBytes}
          />
        </LogLine>
      );
  }
});

interface StderrRowProps {
  row: StderrRowData;
  aside?: ReactNode;
}

/** What the CLI itself printed to stderr, outside any call. */
function StderrRow({ row, aside }: StderrRowProps) {
  return (
    <LogLine seq={row.seq} icon={<Terminal className="text-text-3" />} aside={aside}>
      <OutputBlock text={row.text} stream="stderr" seq={row.seq} />
    </LogLine>
  );
}

/** A true gap in the stream: it says which events are not there. */
export function MissingRow({ row }: { row: MissingRowData }) {
  const isOne = row.seq === row.lastSeq;
  return (
    <LogLine seq={row.seq} icon={<Unplug className="text-wait-mark" />} className="text-wait-fg">
      {isOne ? `Event ${row.seq} is missing.` : `Events ${row.seq}–${row.lastSeq} are missing.`}
    </LogLine>
  );
}

const TONES: Record<MetaText['tone'], string> = {
  plain: 'text-text-2',
  wait: 'text-wait-fg',
  bad: 'text-bad-fg',
};

interface MetaRowProps {
  row: MetaRowData;
  aside?: ReactNode;
}

/** Started, retried, compacted, checked: one quiet line each. */
export function MetaRow({ row, aside }: MetaRowProps) {
  const { text, tone } = metaText(row.event);
  return (
    <LogLine seq={row.seq} icon={<Minus className="text-text-3" />} aside={aside}>
      <p className={cn('[overflow-wrap:anywhere]', TONES[tone])}>
        <SafeText text={text} />
      </p>
    </LogLine>
  );
}
