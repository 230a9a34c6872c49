import { formatDuration } from '@/lib/format/duration';
import type { RequestRow } from './log-rows';

export function RequestHeader({ row }: { row: RequestRow }) {
  return (
    <div className="flex items-center gap-3 px-3 pt-3 pb-1 text-meta text-text-3 tabular-nums">
      <span>Request {row.number}</span>
      <span>{row.sentAt ? formatDuration(Date.parse(row.answeredAt) - Date.parse(row.sentAt)) : null}</span>
      <span aria-hidden className="h-px flex-1 bg-line" />
    </div>
  );
}
