import type { AttemptDto } from '@/lib/insight/sessions/schema';
import type { LogItem, LogRow } from '../log-rows';

/** What stands in the log: a row of events, or where an attempt begins and ends. */
export type LogEntry =
  | { type: 'row'; key: string; seq: number; row: LogRow }
  | { type: 'start'; key: string; seq: number; attempt: AttemptDto }
  | { type: 'end'; key: string; seq: number; attempt: AttemptDto };

interface Frame {
  attempts: readonly AttemptDto[];
  starts: readonly { attemptId: string; seq: number }[];
  /** No more events come: the last attempt's end is said, too. */
  isComplete: boolean;
}

/** Puts the attempts' beginnings and ends between the rows; beginnings only where there are several. */
export function logEntries(rows: readonly LogRow[], frame: Frame): LogEntry[] {
  const { attempts, starts, isComplete } = frame;
  const begun = starts.flatMap(({ attemptId, seq }) => {
    const attempt = attempts.find((candidate) => candidate.id === attemptId);
    return attempt ? [{ attempt, seq }] : [];
  });
  const entries: LogEntry[] = [];
  let next = 0;
  let current: AttemptDto | null = null;
  const open = (seq: number) => {
    const start = begun[next];
    if (!start) return;
    if (current?.exit) entries.push(end(current, seq));
    current = start.attempt;
    next += 1;
    if (attempts.length > 1) {
      entries.push({ type: 'start', key: `start-${current.id}`, seq, attempt: current });
    }
  };
  for (const row of rows) {
    while ((begun[next]?.seq ?? Number.POSITIVE_INFINITY) <= row.seq) open(row.seq);
    entries.push({ type: 'row', key: `${row.type}-${row.seq}`, seq: row.seq, row });
  }
  const last: AttemptDto | null = current ?? attempts.at(-1) ?? null;
  if (isComplete && last?.exit) entries.push(end(last, rows.at(-1)?.seq ?? 0));
  return entries;
}

function end(attempt: AttemptDto, seq: number): LogEntry {
  return { type: 'end', key: `end-${attempt.id}`, seq, attempt };
}

/** Index of the entry that holds the event; -1 when none does. */
export function entryOfEvent(entries: readonly LogEntry[], seq: number): number {
  const index = entries.findIndex((entry) => entry.type === 'row' && holds(entry.row, seq));
  if (index !== -1) return index;
  // An event without a row of its own (a result, a usage) stands in the row before it.
  return entries.findLastIndex((entry) => entry.type === 'row' && entry.seq <= seq);
}

/** The event under whose number a row draws this one: a result stands in its call. */
export function anchorOf(row: LogRow, seq: number): number {
  return row.type === 'request' ? (anchorAmong(row.items, seq) ?? row.seq) : row.seq;
}

function anchorAmong(items: readonly LogItem[], seq: number): number | null {
  for (const item of items) {
    if (item.seq === seq) return seq;
    if (item.type !== 'call') continue;
    if (item.result?.seq === seq) return item.seq;
    const nested = anchorAmong(item.items, seq);
    if (nested !== null) return nested;
  }
  return null;
}

function holds(row: LogRow, seq: number): boolean {
  if (row.seq === seq) return true;
  return row.type === 'request' && itemsHold(row.items, seq);
}

function itemsHold(items: readonly LogItem[], seq: number): boolean {
  return items.some(
    (item) =>
      item.seq === seq ||
      (item.type === 'call' && (item.result?.seq === seq || itemsHold(item.items, seq))),
  );
}
