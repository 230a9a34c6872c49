import type { LogItem, LogRow, NoticeRow, StoredEvent } from '../log-rows';
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
  status: 'healthy' | 'degraded' | 'down';
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
  const { attempts, decisions } = session;
  const isEnded = session.endedAt !== null;
  const open = [...decisions];
  const take = (isTaken: (decision: ChainLogDecision) => boolean): ChainLogDecision[] => {
    const taken = open.filter(isTaken);
    for (const decision of taken) open.splice(open.indexOf(decision), 1);
    return taken;
  };
  const starts = log.attemptStarts.flatMap(({ attemptId, seq }) => {
    const attempt = attempts.find(({ id }) => id === attemptId);
    return attempt ? [{ attempt, seq }] : [];
  });
  const rows = rowsOf(session, log);
  // A notice has the place of its decision; the others stand where their attempt begins or ends.
  const noticed = new Set(rows.flatMap((row) => decisionOf(row, decisions)?.id ?? []));

  const entries: ChainEntry[] = [];
  let current: ChainLogAttempt | null = null;
  let isReported = session.report === null && !session.isReportUnreadable;
  const report = () => {
    if (!isReported) entries.push({ type: 'report', key: 'report' });
    isReported = true;
  };
  const decide = (decision: ChainLogDecision) => {
    if (decision.kind === 'escalation' && isEnded) report();
    entries.push({ type: 'decision', key: decision.id, decision });
  };
  const begin = (attempt: ChainLogAttempt) => {
    finish();
    current = attempt;
    if (attempts.length > 1) entries.push({ type: 'attempt', key: attempt.id, attempt });
    for (const decision of take(
      ({ id, kind, attemptId }) =>
        kind === 'continuation' && attemptId === attempt.id && !noticed.has(id),
    )) {
      decide(decision);
    }
  };
  const finish = () => {
    if (!current) return;
    const { id, end } = current;
    if (end !== null && end !== 'completed') entries.push(endOf(session, current, rows));
    for (const decision of take(
      (each) => each.kind !== 'continuation' && each.attemptId === id && !noticed.has(each.id),
    )) {
      decide(decision);
    }
    current = null;
  };

  const note = noteAbove(session, log);
  if (note) entries.push(note);
  let next = 0;
  for (const row of rows) {
    for (let start = starts[next]; start && start.seq <= row.seq; start = starts[next]) {
      begin(start.attempt);
      next += 1;
    }
    const decision = decisionOf(row, open);
    if (decision) {
      take(({ id }) => id === decision.id);
      decide(decision);
      continue;
    }
    addRow(entries, row);
  }
  for (const { attempt } of starts.slice(next)) begin(attempt);
  finish();
  // Attempts without an event: none was started, or the log was deleted.
  for (const attempt of attempts) {
    if (!starts.some((start) => start.attempt.id === attempt.id)) {
      const isShown = attempts.length > 1 || attempt.end !== null || open.length > 0;
      if (isShown) begin(attempt);
      finish();
    }
  }
  for (const decision of take(() => true)) decide(decision);
  if (isEnded) report();
  const rest = noteBelow(session, log);
  if (rest) entries.push(rest);
  return entries;
}

/** Adds a row; checks that follow each other become one entry. */
function addRow(entries: ChainEntry[], row: LogRow): void {
  if (row.type !== 'meta' || row.event.kind !== 'check_result') {
    entries.push({ type: 'row', key: `${row.type}-${row.seq}`, row });
    return;
  }
  const { service, type, status, error } = row.event;
  const check: CheckOutcome = { service, type, status, error };
  const last = entries.at(-1);
  if (last?.type === 'checks') {
    entries[entries.length - 1] = { ...last, checks: [...last.checks, check] };
  } else {
    const { seq, at } = row;
    entries.push({ type: 'checks', key: `checks-${seq}`, seq, at, checks: [check] });
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
      return isBadMeta(row.event) ? entry : null;
    case 'request':
      return null;
  }
}

function isBadMeta(event: Pick<StoredEvent, 'kind'>): boolean {
  return ['result', 'process', 'api_retry', 'model_fallback', 'rate_limit'].includes(event.kind);
}
