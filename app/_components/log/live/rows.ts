import { callTitle } from '../call-title';
import { callEnd, isDeniedRow, isOpenByDefault } from '../fold';
import type { CallItem, LogItem, LogRow, RequestRow } from '../log-rows';
import { metaText } from '../meta-text';
import { reportBriefOf, textOfReport } from '../report-brief';

export const LOG_FILTERS = ['all', 'calls', 'denied', 'errors'] as const;
export type LogFilter = (typeof LOG_FILTERS)[number];

/** The rows to show. A request stays with its header while one of its calls does. */
export function filterRows(rows: readonly LogRow[], filter: LogFilter): readonly LogRow[] {
  if (filter === 'all') return rows;
  return rows.flatMap((row) => {
    if (row.type === 'request') return filterRequest(row, filter);
    const isShown =
      (filter === 'errors' && isErrorRow(row)) || (filter === 'denied' && isDeniedRow(row));
    return isShown ? row : [];
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

/** Number of the next (or last) failed or denied event from `seq`, around the end; null without any. */
export function problemAfter(
  rows: readonly LogRow[],
  seq: number | null,
  step: 1 | -1,
): number | null {
  const problems = [...filterRows(rows, 'errors'), ...filterRows(rows, 'denied')]
    .flatMap((row) => (row.type === 'request' ? callsOf(row).map((call) => call.seq) : [row.seq]))
    .toSorted((one, other) => one - other);
  const from = seq ?? 0;
  const next =
    step === 1
      ? problems.find((problem) => problem > from)
      : problems.findLast((problem) => problem < from);
  return next ?? (step === 1 ? problems[0] : problems.at(-1)) ?? null;
}

/** Number of the row after (or before) `seq`, texts and calls each being one; null at the end. */
export function rowAfter(rows: readonly LogRow[], seq: number | null, step: 1 | -1): number | null {
  const seqs = rows.flatMap((row) => (row.type === 'request' ? seqsOf(row.items) : [row.seq]));
  if (seq === null) return (step === 1 ? seqs[0] : seqs.at(-1)) ?? null;
  const next =
    step === 1 ? seqs.find((other) => other > seq) : seqs.findLast((other) => other < seq);
  return next ?? null;
}

function seqsOf(items: readonly LogItem[]): number[] {
  return items.flatMap((item) =>
    item.type === 'call' ? [item.seq, ...seqsOf(item.items)] : [item.seq],
  );
}

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
      if (item.type === 'text') look(item.seq, item.text);
      else {
        look(item.seq, textOfCall(item));
        lookInItems(item.items);
      }
    }
  };
  for (const row of rows) {
    if (row.type === 'request') lookInItems(row.items);
    else look(row.seq, textOf(row));
  }
  return found;
}

/** The match after (or before) the event on which the reader stands, around the end; null without any. */
export function matchAfter(
  found: readonly number[],
  marked: number | null,
  step: 1 | -1,
): number | null {
  const first = (step === 1 ? found[0] : found.at(-1)) ?? null;
  if (marked === null) return first;
  const here = found.indexOf(marked);
  if (here !== -1) return found[(here + step + found.length) % found.length] ?? null;
  const next =
    step === 1 ? found.find((seq) => seq > marked) : found.findLast((seq) => seq < marked);
  return next ?? first;
}

function textOfCall(call: CallItem): string {
  const { tool, input, result } = call;
  const brief = reportBriefOf(call);
  if (brief) return `Report\n${textOfReport(brief)}`;
  const { mark, text } = callTitle(tool, input);
  const output = result ? `${result.stdout ?? ''}\n${result.stderr ?? ''}\n${result.content}` : '';
  return `${mark} ${text}\n${output}`;
}

function textOf(row: Exclude<LogRow, { type: 'request' }>): string {
  switch (row.type) {
    case 'notice':
      return `${row.code} ${row.message}`;
    case 'stderr':
      return row.text;
    case 'meta':
      return metaText(row.event).text;
    case 'late_result':
      return row.result.stdout ?? row.result.content;
    case 'missing':
      return '';
  }
}
