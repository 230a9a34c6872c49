import { formatCost } from '@/lib/platform/format/cost';
import { formatTokens } from '@/lib/platform/format/count';
import { formatDuration } from '@/lib/platform/format/duration';
import type { RequestRow } from './log-rows';
import { LogTime } from './log-time';

interface RequestHeaderProps {
  row: RequestRow;
  /** Where the ledger knows it for a single request. */
  costMicros?: number | null;
}

/** "Request 3 · 14:52:08.120 · 2.1s · 14.2k in · 310 out". */
export function RequestHeader({ row, costMicros = null }: RequestHeaderProps) {
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
