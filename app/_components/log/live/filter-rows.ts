import { callEnd } from '../fold';
import type { CallItem, LogItem, LogRow, RequestRow } from '../log-rows';

export const LOG_FILTERS = ['all', 'calls', 'denied', 'errors'] as const;
export type LogFilter = (typeof LOG_FILTERS)[number];

/** The rows to show. A request stays with its header while one of its calls does. */
export function filterRows(rows: readonly LogRow[], filter: LogFilter): readonly LogRow[] {
  if (filter === 'all') return rows;
  return rows.flatMap((row) => {
    if (row.type === 'request') return filterRequest(row, filter);
    return filter === 'errors' && isErrorRow(row) ? row : [];
  });
}

const WANTED: Record<Exclude<LogFilter, 'all'>, (call: CallItem) => boolean> = {
  calls: () => true,
  denied: (call) => callEnd(call) === 'denied',
  errors: (call) => callEnd(call) === 'failed',
};

function filterRequest(row: RequestRow, filter: Exclude<LogFilter, 'all'>): LogRow[] {
  const items = filterItems(row.items, WANTED[filter]);
  return items.length > 0 ? [{ ...row, items }] : [];
}

/** A call that is not wanted stays when a wanted one is nested in it. */
function filterItems(
  items: readonly LogItem[],
  isWanted: (call: CallItem) => boolean,
): readonly LogItem[] {
  return items.flatMap((item) => {
    if (item.type !== 'call') return [];
    const nested = filterItems(item.items, isWanted);
    return isWanted(item) || nested.length > 0 ? { ...item, items: nested } : [];
  });
}

function isErrorRow(row: LogRow): boolean {
  switch (row.type) {
    case 'notice':
      return row.level === 'critical';
    case 'late_result':
      return row.result.isError;
    case 'meta':
      return row.event.kind === 'result' && row.event.isError;
    case 'missing':
      return true;
    default:
      return false;
  }
}
