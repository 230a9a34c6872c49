import { Terminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { LogLine } from './log-line';
import type { StderrRow as StderrRowData } from './log-rows';
import { OutputBlock } from './output-block';

interface StderrRowProps {
  row: StderrRowData;
  aside?: ReactNode;
}

/** What the CLI itself printed to stderr, outside any call. */
export function StderrRow({ row, aside }: StderrRowProps) {
  return (
    <LogLine seq={row.seq} icon={<Terminal className="text-text-3" />} aside={aside}>
      <OutputBlock text={row.text} stream="stderr" />
    </LogLine>
  );
}
