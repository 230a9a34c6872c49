import type { FeedEvent } from '@/lib/insight/feed';
import type { TierReport } from '@/lib/protocol/report';
import type { Tier } from '../status/tier-mark';
import type { EventOf, LogRow, RowEvent } from './events';
import type { FeedState, FirstEvents } from './feed';

export interface LogAttempt {
  id: string;
  number: number;
  /** `reconcile`: it only looked whether what an earlier one began is done. */
  purpose: string;
  runner: string | null;
  /** How it ended: completed, resume_rejected, … Null while it runs. */
  end: string | null;
  endText: string;
  /** Null where the page doesn't know it. */
  exitCode: number | null;
  startedAt: string | null;
  endedAt: string | null;
  /** Null while nothing is booked. */
  costMicros: number | null;
}

/** A decision as the log shows it; its checks have a page of their own. */
export interface LogDecision {
  id: string;
  /** Null for a decision of no single attempt. */
  attemptId: string | null;
  /** `continuation`: how a start continues. `escalation` and `after_end`: what follows. */
  kind: 'continuation' | 'escalation' | 'after_end';
  verdict: string;
  reason: string;
  sentence: string;
  at: string;
}

/** What a log knows of a session when the page is made. */
export interface LogSession {
  /** `ses_…` */
  id: string;
  number: number;
  tier: Tier;
  /** Offered to the agent of the last attempt; empty while nothing is known. */
  tools: readonly string[];
  endedAt: string | null;
  /** Number of its newest event. */
  lastSeq: number;
  attempts: readonly LogAttempt[];
  log: FirstEvents;
  /** What the log of its chain shows in addition; null on the session's own page. */
  part: LogPart | null;
}

/** A session in the log of its chain. */
interface LogPart {
  model: string;
  status: string;
  startedAt: string | null;
  /** Its last process was started, and not in a sandbox. */
  isUnconfined: boolean;
  decisions: readonly LogDecision[];
  report: TierReport | null;
  /** The report that was handed in doesn't have the expected form. */
  isReportUnreadable: boolean;
  /** Its entries of the feed, for a session whose log was deleted. */
  notices: readonly FeedEvent[];
  /** Calls that may have changed something, by their numbers. */
  changes: readonly number[];
}

/** The entries of a log, oldest first. */
export type LogEntry =
  | { type: 'row'; key: string; row: LogRow }
  /** Checks that were made together. */
  | { type: 'checks'; key: string; seq: number; at: string; checks: readonly CheckOutcome[] }
  | { type: 'decision'; key: string; decision: LogDecision }
  /** Where an attempt begins, if there are several. */
  | { type: 'start'; key: string; attempt: LogAttempt }
  | { type: 'end'; key: string; attempt: LogAttempt; text: string }
  | { type: 'report'; key: string }
  /** Why events aren't here. `from`: the first of them in the session's own log. */
  | { type: 'note'; key: string; text: string; from: number | null };

export type CheckOutcome = Pick<EventOf<'check_result'>, 'service' | 'type' | 'status' | 'error'>;

/** What the feed of a session holds, as far as its entries need it. */
export type SessionRows = Pick<FeedState, 'log' | 'attemptStarts' | 'after'> & {
  /** Nothing more comes. */
  isComplete: boolean;
};

/**
 * Puts a session's attempts between the rows of its log. In the log of its chain, decisions and the
 * report stand there, too: a decision replaces the notice that says the same, and calls that hand in
 * the report, and what only tells how a process was started, are left out.
 */
export function sessionEntries(session: LogSession, feed: SessionRows): LogEntry[] {
  const rows = rowsOf(session, feed);
  const begun = feed.attemptStarts.flatMap(({ attemptId, seq }) => {
    const attempt = session.attempts.find(({ id }) => id === attemptId);
    return attempt ? [{ attempt, seq }] : [];
  });
  const draft = new EntryDraft(session, rows);
  draft.add(noteAbove(session, feed));
  let next = 0;
  for (const row of rows) {
    for (let start = begun[next]; start && start.seq <= row.seq; start = begun[next]) {
      draft.begin(start.attempt);
      next += 1;
    }
    draft.addRow(row);
  }
  if (session.part || feed.isComplete) {
    for (const { attempt } of begun.slice(next)) draft.begin(attempt);
    // Attempts without an event: none was started, or the log was deleted.
    const isSilent = ({ id }: LogAttempt) => !begun.some(({ attempt }) => attempt.id === id);
    if (session.part || begun.length === 0) session.attempts.filter(isSilent).forEach(draft.begin);
    draft.finish();
  }
  draft.add(noteBelow(session, feed));
  return draft.entries;
}

/** The entries of a session while they are put together. Each decision is placed once. */
class EntryDraft {
  readonly entries: LogEntry[] = [];
  private readonly isEnded: boolean;
  private open: readonly LogDecision[];
  /** Decisions that have the place of a notice; the others stand where their attempt begins or ends. */
  private readonly noticed: ReadonlySet<string>;
  private current: LogAttempt | null = null;
  private isReported: boolean;

  constructor(
    private readonly session: LogSession,
    private readonly rows: readonly LogRow[],
  ) {
    const { endedAt, part } = session;
    this.isEnded = endedAt !== null;
    const decisions = part?.decisions ?? [];
    this.open = decisions;
    this.noticed = new Set(rows.flatMap((row) => decisionOf(row, decisions)?.id ?? []));
    this.isReported = !part || (part.report === null && !part.isReportUnreadable);
  }

  add(entry: LogEntry | null): void {
    if (entry) this.entries.push(entry);
  }

  /** In the log of a chain, checks that follow each other become one entry. */
  addRow(row: LogRow): void {
    const decision = decisionOf(row, this.open);
    if (decision) this.decide(({ id }) => id === decision.id);
    else if (this.session.part && row.type === 'event' && row.event.kind === 'check_result') {
      this.addCheck(row.event);
    } else this.add({ type: 'row', key: `${row.type}-${row.seq}`, row });
  }

  private addCheck({ seq, at, service, type, status, error }: EventOf<'check_result'>): void {
    const last = this.entries.at(-1);
    const before = last?.type === 'checks' ? last : null;
    if (before) this.entries.pop();
    this.add({
      ...(before ?? { type: 'checks', key: `checks-${seq}`, seq, at }),
      checks: [...(before?.checks ?? []), { service, type, status, error }],
    });
  }

  readonly begin = (attempt: LogAttempt): void => {
    this.leave();
    this.current = attempt;
    if (this.session.attempts.length > 1) {
      this.add({ type: 'start', key: `start-${attempt.id}`, attempt });
    }
    this.decide(
      ({ id, kind, attemptId }) =>
        kind === 'continuation' && attemptId === attempt.id && !this.noticed.has(id),
    );
  };

  /** Whatever has found no place stands at the end. */
  finish(): void {
    this.leave();
    this.decide(() => true);
    if (this.isEnded) this.report();
  }

  private leave(): void {
    if (!this.current) return;
    const { id, end, endText } = this.current;
    // In the log of a chain the report says that an attempt completed.
    if (end !== null && (end !== 'completed' || !this.session.part)) {
      const text = end === 'completed' || this.isSaid(endText) ? '' : endText;
      this.add({ type: 'end', key: `end-${id}`, attempt: this.current, text });
    }
    this.decide(
      (each) => each.kind !== 'continuation' && each.attemptId === id && !this.noticed.has(each.id),
    );
    this.current = null;
  }

  /** Whether a notice or a decision of the log has this sentence. */
  private isSaid(text: string): boolean {
    const { part } = this.session;
    if (!part) return false;
    return (
      this.rows.some(
        (row) => row.type === 'event' && row.event.kind === 'notice' && row.event.message === text,
      ) || part.decisions.some(({ sentence }) => sentence === text)
    );
  }

  private decide(isDue: (decision: LogDecision) => boolean): void {
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

function rowsOf({ part, lastSeq, endedAt }: LogSession, { log }: SessionRows): readonly LogRow[] {
  if (!part) return log.rows;
  const isPruned = log.lastSeq === null && lastSeq > 0 && endedAt !== null;
  const rows = isPruned ? part.notices.map(noticeRow) : log.rows;
  return rows.flatMap((row): LogRow[] => {
    if (row.type === 'event') return isPlumbing(row.event) ? [] : [row];
    if (row.type === 'missing') return [row];
    const items = row.items.filter((item) => item.type !== 'call' || item.tool !== REPORT_TOOL);
    if (items.length === row.items.length) return [row];
    return items.length === 0 ? [] : [{ ...row, items }];
  });
}

function noticeRow({ at, level, code, message, service }: FeedEvent, index: number): LogRow {
  const seq = index + 1;
  const event = { kind: 'notice', seq, at, level, code, message, service } as const;
  return { type: 'event', seq, at, event };
}

/** The report stands below its session, rendered. */
const REPORT_TOOL = 'StructuredOutput';

/** How processes are started and end as they should: the session's own log has it. */
function isPlumbing(event: RowEvent): boolean {
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
    case 'notice':
      // The card of an escalation says it better.
      return event.code === 'CONTEXT_THRESHOLD';
    case 'tool_result':
      return event.content.startsWith('Structured output');
    default:
      return false;
  }
}

function decisionOf(row: LogRow, decisions: readonly LogDecision[]): LogDecision | undefined {
  if (row.type !== 'event' || row.event.kind !== 'notice') return undefined;
  const { code, message } = row.event;
  return decisions.find(({ reason, sentence }) => reason === code && sentence === message);
}

function noteAbove(session: LogSession, { log, after }: SessionRows): LogEntry | null {
  const { endedAt, part, lastSeq } = session;
  const note = (text: string, from: number | null = null): LogEntry => {
    return { type: 'note', key: 'above', text, from };
  };
  if (log.lastSeq !== null || !part) {
    return after > 0 ? note(`Events 1–${after.toLocaleString('en')} aren’t shown here.`, 1) : null;
  }
  if (lastSeq > 0 && !endedAt) return null;
  return note(emptyLogText({ endedAt, isDeleted: lastSeq > 0 }));
}

/** Says why a log has nothing in it. */
export function emptyLogText(session: { endedAt: string | null; isDeleted: boolean }): string {
  if (session.isDeleted) {
    return 'The log was deleted when its retention ended. Report, cost and decisions are kept.';
  }
  return session.endedAt ? 'There is no log: no process was started.' : 'No output yet.';
}

function noteBelow(session: LogSession, { log: { lastSeq } }: SessionRows): LogEntry | null {
  const { part, endedAt, log } = session;
  if (!part || endedAt === null || lastSeq === null || lastSeq >= session.lastSeq) return null;
  // A session that was followed here to its end has all of its events.
  if (log.events.at(-1)?.seq !== lastSeq) return null;
  const from = lastSeq + 1;
  const range = `${from.toLocaleString('en')}–${session.lastSeq.toLocaleString('en')}`;
  return { type: 'note', key: 'below', text: `Events ${range} aren’t shown here.`, from };
}
