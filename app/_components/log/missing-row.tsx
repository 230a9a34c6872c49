import { Unplug } from 'lucide-react';
import { LogLine } from './log-line';
import type { MissingRow as MissingRowData } from './log-rows';

/** A true gap in the stream: it says which events are not there. */
export function MissingRow({ row }: { row: MissingRowData }) {
  const isOne = row.seq === row.lastSeq;
  return (
    <LogLine seq={row.seq} icon={<Unplug className="text-wait-mark" />} className="text-wait-fg">
      {isOne ? `Event ${row.seq} is missing.` : `Events ${row.seq}–${row.lastSeq} are missing.`}
    </LogLine>
  );
}
