import { callEnd, callTitle, isOpenByDefault, reportBriefOf, textOfReport } from './calls';
import type { LogEntry } from './entries';
import { eventText } from './event-text';
import {
  type CallItem,
  isDenied,
  isError,
  type LogItem,
  type LogRow,
  type RowEvent,
} from './events';

export const LOG_FILTERS = ['all', 'calls', 'denied', 'errors', 'decisions', 'problems'] as const;
export type LogFilter = (typeof LOG_FILTERS)[number];

/** The entries to show. Notes stay: a filter doesn't make the log complete. */
export function filterEntries(
  entries: readonly LogEntry[],
  filter: LogFilter,
): readonly LogEntry[] {
  if (filter === 'all') return entries;
  return entries.flatMap((entry): LogEntry[] => {
    switch (entry.type) {
      case 'note':
        return [entry];
      case 'decision':
        return filter === 'decisions' ? [entry] : [];
      case 'end':
        return filter === 'problems' ? [entry] : [];
      case 'checks': {
        const checks = entry.checks.filter(({ status }) => status !== 'healthy');
        return filter === 'problems' && checks.length > 0 ? [{ ...entry, checks }] : [];
      }
      case 'row':
        return filterRow(entry.row, filter).map((row) => ({ ...entry, row }));
      default:
        return [];
    }
  });
}

type RowFilter = Exclude<LogFilter, 'all'>;

/** A request stays with its header while one of its calls does. */
function filterRow(row: LogRow, filter: RowFilter): LogRow[] {
  if (row.type === 'event') return isKept(row.event, filter) ? [row] : [];
  if (row.type === 'missing') return filter === 'errors' || filter === 'problems' ? [row] : [];
  const items = filterItems(row.items, WANTED[filter]);
  return items.length > 0 ? [{ ...row, items }] : [];
}

const WANTED: Record<RowFilter, (call: CallItem) => boolean> = {
  calls: () => true,
  denied: (call) => callEnd(call) === 'denied',
  errors: (call) => callEnd(call) === 'failed',
  problems: (call) => ['denied', 'failed'].includes(callEnd(call)),
  decisions: () => false,
};

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

const TROUBLE: readonly string[] = [
  ...['stderr', 'result', 'process', 'api_retry', 'model_fallback', 'rate_limit'],
];

function isKept(event: RowEvent, filter: RowFilter): boolean {
  switch (filter) {
    case 'denied':
      return isDenied(event);
    case 'errors':
      return isError(event);
    case 'problems':
      if (event.kind === 'notice') return event.level !== 'info';
      return isDenied(event) || isError(event) || TROUBLE.includes(event.kind);
    default:
      return false;
  }
}

/** Where a log draws an event: a result in its call, one without a row at the row before it. */
export function findEvent(
  entries: readonly LogEntry[],
  seq: number,
): { index: number; seq: number } | null {
  let before: { index: number; seq: number } | null = null;
  for (const [index, entry] of entries.entries()) {
    if (entry.type !== 'row' && entry.type !== 'checks') continue;
    const first = entry.type === 'row' ? entry.row.seq : entry.seq;
    const drawn = entry.type === 'row' ? drawnIn(entry.row, seq) : null;
    if (drawn !== null) return { index, seq: drawn };
    if (first <= seq) before = { index, seq: first };
  }
  return before;
}

function drawnIn(row: LogRow, seq: number): number | null {
  if (row.type !== 'request') return row.seq === seq ? seq : null;
  return drawnAmong(row.items, seq);
}

function drawnAmong(items: readonly LogItem[], seq: number): number | null {
  for (const item of items) {
    if (item.seq === seq || (item.type === 'call' && item.result?.seq === seq)) return item.seq;
    const nested = item.type === 'call' ? drawnAmong(item.items, seq) : null;
    if (nested !== null) return nested;
  }
  return null;
}

/** The rows among the entries. */
export function rowsAmong(entries: readonly LogEntry[]): LogRow[] {
  return entries.flatMap((entry) => (entry.type === 'row' ? [entry.row] : []));
}

/** Returns the numbers of all rows in order; each text and each call has one. */
export function seqsOf(rows: readonly LogRow[]): number[] {
  const seqsAmong = (items: readonly LogItem[]): number[] =>
    items.flatMap((item) =>
      item.type === 'call' ? [item.seq, ...seqsAmong(item.items)] : [item.seq],
    );
  return rows.flatMap((row) => (row.type === 'request' ? seqsAmong(row.items) : [row.seq]));
}

/** Numbers of failed and denied calls, and of events that say so. */
export function problemSeqs(rows: readonly LogRow[]): number[] {
  return rows.flatMap((row) =>
    [...filterRow(row, 'errors'), ...filterRow(row, 'denied')].flatMap((kept) =>
      kept.type === 'request' ? callsOf(kept).map(({ seq }) => seq) : [kept.seq],
    ),
  );
}

/** All calls of a row, nested ones too, in order. */
export function callsOf(row: LogRow): CallItem[] {
  const callsAmong = (items: readonly LogItem[]): CallItem[] =>
    items.flatMap((item) => (item.type === 'call' ? [item, ...callsAmong(item.items)] : []));
  return row.type === 'request' ? callsAmong(row.items) : [];
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
  chosen: (seq: number) => boolean | undefined,
  lastSeq: number | null,
): string {
  return callsOf(row)
    .filter((call) => chosen(call.seq) ?? isOpenByDefault(call, call.seq === lastSeq))
    .map((call) => call.seq)
    .join(',');
}

/** Numbers of the events whose text holds the words, in order; capitals do not matter. */
export function searchRows(rows: readonly LogRow[], query: string): number[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  const found: number[] = [];
  const look = (seq: number, text: string) => {
    if (text.toLowerCase().includes(wanted)) found.push(seq);
  };
  const lookInItems = (items: readonly LogItem[]) => {
    for (const item of items) {
      look(item.seq, item.type === 'text' ? item.text : textOfCall(item));
      if (item.type === 'call') lookInItems(item.items);
    }
  };
  for (const row of rows) {
    if (row.type === 'request') lookInItems(row.items);
    else if (row.type === 'event') look(row.seq, eventText(row.event).text);
  }
  return found;
}

function textOfCall(call: CallItem): string {
  const { tool, input, result } = call;
  const brief = reportBriefOf(call);
  if (brief) return `Report\n${textOfReport(brief)}`;
  const { mark, text } = callTitle(tool, input);
  const output = result ? `${result.stdout ?? ''}\n${result.stderr ?? ''}\n${result.content}` : '';
  return `${mark} ${text}\n${output}`;
}

/** Returns the next (or previous) place from the reader’s; null without one. */
export function nextPlace(
  places: readonly string[],
  wanted: readonly string[],
  from: string | null,
  step: 1 | -1,
  goesAround: boolean,
): string | null {
  const ahead = step === 1 ? places : places.toReversed();
  const isWanted = new Set(wanted);
  const at = from === null ? -1 : ahead.indexOf(from);
  const next = ahead.find((place, index) => index > at && isWanted.has(place));
  return next ?? (goesAround ? ahead.find((place) => isWanted.has(place)) : null) ?? null;
}
