'use client';

import { memo } from 'react';
import { LogGroup, type LogGroupProps } from './log-group';
import { LogLine } from './log-line';
import type { LogRow as LogRowData } from './log-rows';
import { LogTime } from './log-time';
import { MetaRow } from './meta-row';
import { MissingRow } from './missing-row';
import { NoticeRow } from './notice-row';
import { OutputBlock } from './output-block';
import { StderrRow } from './stderr-row';

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
            cutBytes={row.result.cutBytes}
          />
        </LogLine>
      );
  }
});
