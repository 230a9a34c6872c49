import type { LogRow, RequestRow, RowEvent, TextItem } from '@/app/_components/log/events';

/** Of what stands in one line, what a reader of the conversation should know. */
const TOLD: readonly RowEvent['kind'][] = ['api_retry', 'model_fallback', 'compaction'];

/** What of a session's log belongs into a conversation: what the agent said and called, and trouble. */
export function workRows(rows: readonly LogRow[]): LogRow[] {
  const asking = questionCalls(rows);
  return rows.flatMap((row) => {
    if (row.type === 'request') return withoutQuestions(row, asking);
    return row.type === 'missing' || TOLD.includes(row.event.kind) || isBad(row.event) ? row : [];
  });
}

/** Calls that ask a person. The page draws them as questions with their choices. */
function questionCalls(rows: readonly LogRow[]): ReadonlySet<string> {
  return new Set(
    rows.flatMap((row) =>
      row.type === 'event' && row.event.kind === 'question' ? (row.event.toolUseId ?? []) : [],
    ),
  );
}

function withoutQuestions(row: RequestRow, asking: ReadonlySet<string>): LogRow[] {
  const items = row.items.filter((item) => item.type === 'text' || !asking.has(item.toolUseId));
  if (items.length === row.items.length) return [row];
  return items.length > 0 ? [{ ...row, items }] : [];
}

function isBad(event: RowEvent): boolean {
  if (event.kind === 'result') return event.isError;
  if (event.kind === 'notice') return event.level !== 'info';
  return event.kind === 'rate_limit' && event.status !== 'allowed';
}

/** Without the last text, which stands in the page as the turn's answer. */
export function withoutAnswer(rows: readonly LogRow[]): LogRow[] {
  const place = answerPlace(rows);
  if (place === null) return [...rows];
  const { index, row } = place;
  const rest: RequestRow = { ...row, items: row.items.slice(0, -1) };
  return rest.items.length > 0 ? rows.with(index, rest) : rows.toSpliced(index, 1);
}

/** The last text of a log, where nothing was called after it. */
export function answerAmong(rows: readonly LogRow[]): TextItem | null {
  return answerPlace(rows)?.answer ?? null;
}

function answerPlace(rows: readonly LogRow[]) {
  const index = rows.findLastIndex((row) => row.type === 'request');
  const row = rows[index];
  // What was said before a call is no answer.
  const answer = row?.type === 'request' ? row.items.at(-1) : undefined;
  return row?.type === 'request' && answer?.type === 'text' ? { index, row, answer } : null;
}
