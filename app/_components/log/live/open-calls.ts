import { isOpenByDefault } from '../fold';
import type { CallItem, LogItem, LogRow } from '../log-rows';

/** All calls of a row, nested ones too, in order. */
export function callsOf(row: LogRow): CallItem[] {
  return row.type === 'request' ? callsAmong(row.items) : [];
}

function callsAmong(items: readonly LogItem[]): CallItem[] {
  return items.flatMap((item) => (item.type === 'call' ? [item, ...callsAmong(item.items)] : []));
}

/** The newest call of the log, found from its end; null without one. */
export function lastCallSeq(rows: readonly LogRow[]): number | null {
  const row = rows.findLast((candidate) => callsOf(candidate).length > 0);
  return row ? (callsOf(row).at(-1)?.seq ?? null) : null;
}

/**
 * Which calls of a row are open, as a text: it stays the same while nothing changes, so that a
 * row is drawn again only when it has to be. `chosen` is what the reader opened and closed.
 */
export function openCalls(
  row: LogRow,
  chosen: ReadonlyMap<number, boolean>,
  lastSeq: number | null,
): string {
  return callsOf(row)
    .filter((call) => chosen.get(call.seq) ?? isOpenByDefault(call, call.seq === lastSeq))
    .map((call) => call.seq)
    .join(',');
}
