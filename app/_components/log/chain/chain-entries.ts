import { isDeniedRow } from '../fold';
import type { EventOf, LogItem, LogRow, NoticeRow, StoredEvent } from '../log-rows';
import type { ChainLogAttempt, ChainLogDecision, ChainLogSession } from './chain-session';

/** What stands in a chain's log, in the order of time. */
export type ChainEntry =
  | { type: 'row'; key: string; row: LogRow }
  /** Checks that were made together. */
  | { type: 'checks'; key: string; seq: number; at: string; checks: readonly CheckOutcome[] }
  | { type: 'decision'; key: string; decision: ChainLogDecision }
  /** Where an attempt begins, if there are several. */
  | { type: 'attempt'; key: string; attempt: ChainLogAttempt }
  /** An attempt that ended otherwise than completed. */
  | { type: 'end'; key: string; attempt: ChainLogAttempt; text: string }
  | { type: 'report'; key: string }
  /** Why events aren't here. `from`: the first of them in the session's own log. */
  | { type: 'note'; key: string; text: string; from: number | null };

export interface CheckOutcome {
  service: string;
  type: string;
  /** `unknown`: it couldn't run. */
  status: 'healthy' | 'degraded' | 'down' | 'unknown';
  error: string;
}

/** What the feed of a session holds, as far as the log of its chain needs it. */
export interface SessionRows {
  rows: readonly LogRow[];
  attemptStarts: readonly { attemptId: string; seq: number }[];
  /** Number of the last event taken in; null before the first. */
  lastSeq: number | null;
  /** Events up to this number were never asked for. */
  after: number;
}

/**
 * Puts a session's decisions, attempts and report between the rows of its log. A decision replaces
 * the notice that says the same; calls that hand in the report, and what only tells how a process
 * was started, are left out.
 */
export function sessionEntries(session: ChainLogSession, log: SessionRows): ChainEntry[] {
  const rows = rowsOf(session, log);
  const starts = log.attemptStarts.flatMap(({ attemptId, seq }) => {
    const attempt = session.attempts.find(({ id }) => id === attemptId);
    return attempt ? [{ attempt, seq }] : [];
  });
  const draft = new PartDraft(session, rows);
  draft.add(noteAbove(session, log));
  let next = 0;
  for (const row of rows) {
    for (let start = starts[next]; start && start.seq <= row.seq; start = starts[next]) {
      draft.begin(start.attempt);
      next += 1;
    }
    draft.addRow(row);
  }
  for (const { attempt } of starts.slice(next)) draft.begin(attempt);
  // Attempts without an event: none was started, or the log was deleted.
  const silent = session.attempts.filter(({ id }) => !starts.some((one) => one.attempt.id === id));
  for (const attempt of silent) draft.begin(attempt);
  draft.finish();
  draft.add(noteBelow(session, log));
  return draft.entries;
}

/** The entries of a session while they are put together. Each decision is placed once. */
class PartDraft {
  readonly entries: ChainEntry[] = [];
  private readonly isEnded: boolean;
  private open: readonly ChainLogDecision[];
  /** Decisions that have the place of a notice; the others stand where their attempt begins or ends. */
  private readonly noticed: ReadonlySet<string>;
  private current: ChainLogAttempt | null = null;
  private isReported: boolean;

  constructor(
    private readonly session: ChainLogSession,
    private readonly rows: readonly LogRow[],
  ) {
    const { decisions, endedAt, report, isReportUnreadable } = session;
    this.isEnded = endedAt !== null;
    this.open = decisions;
    this.noticed = new Set(rows.flatMap((row) => decisionOf(row, decisions)?.id ?? []));
    this.isReported = report === null && !isReportUnreadable;
  }

  add(entry: ChainEntry | null): void {
    if (entry) this.entries.push(entry);
  }

  /** Checks that follow each other become one entry. */
  addRow(row: LogRow): void {
    const decision = decisionOf(row, this.open);
    if (decision) this.decide(({ id }) => id === decision.id);
    else if (row.type === 'meta' && row.event.kind === 'check_result') {
      this.addCheck(row, row.event);
    } else this.add({ type: 'row', key: `${row.type}-${row.seq}`, row });
  }

  private addCheck(
    { seq, at }: LogRow,
    { service, type, status, error }: EventOf<'check_result'>,
  ): void {
    const last = this.entries.at(-1);
    const before = last?.type === 'checks' ? last : null;
    if (before) this.entries.pop();
    this.add({
      ...(before ?? { type: 'checks', key: `checks-${seq}`, seq, at }),
      checks: [...(before?.checks ?? []), { service, type, status, error }],
    });
  }

  begin(attempt: ChainLogAttempt): void {
    this.leave();
    this.current = attempt;
    if (this.session.attempts.length > 1) {
      this.add({ type: 'attempt', key: attempt.id, attempt });
    }
    this.decide(
      ({ id, kind, attemptId }) =>
        kind === 'continuation' && attemptId === attempt.id && !this.noticed.has(id),
    );
  }

  /** Whatever has found no place stands at the end. */
  finish(): void {
    this.leave();
    this.decide(() => true);
    if (this.isEnded) this.report();
  }

  private leave(): void {
    if (!this.current) return;
    const { id, end } = this.current;
    if (end !== null && end !== 'completed') {
      this.add(endOf(this.session, this.current, this.rows));
    }
    this.decide(
      (each) => each.kind !== 'continuation' && each.attemptId === id && !this.noticed.has(each.id),
    );
    this.current = null;
  }

  private decide(isDue: (decision: ChainLogDecision) => boolean): void {
    const due = this.open.filter(isDue);
    this.open = this.open.filter((decision) => !due.includes(decision));
    for (const decision of due) {
      if (decision.kind === 'escalation' && this.isEnded) this.report();
      this.add({ type: 'decision', key: decision.id, decision });
    }
  }

  private report(): void {
    if (!this.isReported) this.add({ type: 'report', key: 'report' });
    this.isReported = true;
  }
}

function rowsOf(session: ChainLogSession, log: SessionRows): LogRow[] {
  const isPruned = log.lastSeq === null && session.lastSeq > 0 && session.endedAt !== null;
  const rows = isPruned ? session.notices.map(noticeRow) : log.rows;
  return rows.flatMap((row) => {
    if (isPlumbing(row)) return [];
    if (row.type !== 'request') return row;
    const items = withoutReport(row.items);
    return items.length === 0 ? [] : items.length === row.items.length ? row : { ...row, items };
  });
}

function noticeRow(event: ChainLogSession['notices'][number], index: number): NoticeRow {
  const { at, level, code, message, service } = event;
  return { type: 'notice', seq: index + 1, at, level, code, message, service };
}

/** The report stands below its session, rendered. */
const REPORT_TOOL = 'StructuredOutput';

function withoutReport(items: readonly LogItem[]): readonly LogItem[] {
  return items.filter((item) => item.type !== 'call' || item.tool !== REPORT_TOOL);
}

/** Codes of notices that a hop's card says better. */
const SAID_ELSEWHERE = ['CONTEXT_THRESHOLD'];

/** How processes are started and end as they should: the session's own log has it. */
function isPlumbing(row: LogRow): boolean {
  if (row.type === 'notice') return SAID_ELSEWHERE.includes(row.code);
  if (row.type === 'late_result') return row.result.content.startsWith('Structured output');
  if (row.type !== 'meta') return false;
  const { event } = row;
  switch (event.kind) {
    case 'init':
    case 'command':
    case 'checkpoint':
    case 'system':
      return true;
    case 'process':
      return event.phase === 'started' || (event.code === 0 && event.signal === null);
    case 'rate_limit':
      return event.status === 'allowed';
    case 'result':
      return !event.isError;
    default:
      return false;
  }
}

function decisionOf(
  row: LogRow,
  decisions: readonly ChainLogDecision[],
): ChainLogDecision | undefined {
  if (row.type !== 'notice') return undefined;
  return decisions.find(({ reason, sentence }) => reason === row.code && sentence === row.message);
}

/** Its sentence is left out where a notice or a decision of the session says the same. */
function endOf(
  session: ChainLogSession,
  attempt: ChainLogAttempt,
  rows: readonly LogRow[],
): ChainEntry {
  const text = attempt.endText;
  const isSaid =
    rows.some((row) => row.type === 'notice' && row.message === text) ||
    session.decisions.some(({ sentence }) => sentence === text);
  return { type: 'end', key: `end-${attempt.id}`, attempt, text: isSaid ? '' : text };
}

function noteAbove(session: ChainLogSession, { lastSeq, after }: SessionRows): ChainEntry | null {
  const { endedAt } = session;
  const note = (text: string, from: number | null): ChainEntry => {
    return { type: 'note', key: 'above', text, from };
  };
  if (lastSeq !== null) {
    return after > 0 ? note(`Events 1–${after.toLocaleString('en')} aren’t shown here.`, 1) : null;
  }
  if (session.lastSeq > 0) {
    return endedAt
      ? note(
          'The log was deleted when its retention ended. Report, cost and decisions are kept.',
          null,
        )
      : null;
  }
  return note(endedAt ? 'There is no log: no process was started.' : 'No output yet.', null);
}

function noteBelow(session: ChainLogSession, { lastSeq }: SessionRows): ChainEntry | null {
  if (session.endedAt === null || lastSeq === null || lastSeq >= session.lastSeq) return null;
  // A session that was followed here to its end has all of its events.
  if (session.events.at(-1)?.seq !== lastSeq) return null;
  const from = lastSeq + 1;
  const range = `${from.toLocaleString('en')}–${session.lastSeq.toLocaleString('en')}`;
  return { type: 'note', key: 'below', text: `Events ${range} aren’t shown here.`, from };
}

export const CHAIN_FILTERS = ['all', 'commands', 'decisions', 'problems'] as const;
export type ChainFilter = (typeof CHAIN_FILTERS)[number];

/** The entries to show. Notes stay: a filter doesn't make the log complete. */
export function filterEntries(entries: readonly ChainEntry[], filter: ChainFilter): ChainEntry[] {
  if (filter === 'all') return [...entries];
  return entries.flatMap((entry) => filterEntry(entry, filter) ?? []);
}

function filterEntry(entry: ChainEntry, filter: ChainFilter): ChainEntry | null {
  if (entry.type === 'note') return entry;
  switch (filter) {
    case 'decisions':
      return entry.type === 'decision' ? entry : null;
    case 'commands':
      return entry.type === 'row' ? withCalls(entry, () => true) : null;
    case 'problems':
      if (entry.type === 'end') return entry;
      if (entry.type === 'checks') {
        const checks = entry.checks.filter(({ status }) => status !== 'healthy');
        return checks.length > 0 ? { ...entry, checks } : null;
      }
      return entry.type === 'row' ? (withCalls(entry, isProblem) ?? problemRow(entry)) : null;
    default:
      return entry;
  }
}

type RowEntry = ChainEntry & { type: 'row' };

function withCalls(entry: RowEntry, isWanted: (call: CallOf) => boolean): RowEntry | null {
  const { row } = entry;
  if (row.type !== 'request') return null;
  const items = row.items.filter((item) => item.type === 'call' && isWanted(item));
  return items.length > 0 ? { ...entry, row: { ...row, items } } : null;
}

type CallOf = LogItem & { type: 'call' };

function isProblem({ result, items }: CallOf): boolean {
  const isOwn =
    result !== null && (result.denied || result.isError || (result.exitCode ?? 0) !== 0);
  return isOwn || items.some((item) => item.type === 'call' && isProblem(item));
}

function problemRow(entry: RowEntry): RowEntry | null {
  const { row } = entry;
  switch (row.type) {
    case 'notice':
      return row.level === 'info' ? null : entry;
    case 'missing':
      return entry;
    case 'late_result':
      return row.result.isError ? entry : null;
    case 'stderr':
      return entry;
    case 'meta':
      return isDeniedRow(row) || isBadMeta(row.event) ? entry : null;
    case 'request':
      return null;
  }
}

function isBadMeta(event: Pick<StoredEvent, 'kind'>): boolean {
  return ['result', 'process', 'api_retry', 'model_fallback', 'rate_limit'].includes(event.kind);
}
