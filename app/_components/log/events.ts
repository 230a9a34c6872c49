import type { SessionEventDto } from '@/lib/insight/sessions/schema';
import { isDeniedCommand } from '@/lib/protocol/event-codes';
import type { RunnerEvent } from '@/lib/protocol/events';

/** An event as the log takes it in. */
export type StoredEvent = RunnerEvent & {
  /** Within its session, without gaps. */
  seq: number;
  /** ISO 8601. */
  at: string;
};

export type EventOf<Kind extends StoredEvent['kind']> = Extract<StoredEvent, { kind: Kind }>;

/** An event of the API. Its payload was checked when it was stored. */
export function storedEvent({ seq, at, kind, payload }: SessionEventDto): StoredEvent {
  return { ...payload, kind, seq, at } as StoredEvent;
}

export interface TextItem {
  type: 'text';
  seq: number;
  at: string;
  text: string;
  /** Its process ended before it was whole. */
  isUnfinished?: true;
}

export interface CallItem {
  type: 'call';
  seq: number;
  at: string;
  toolUseId: string;
  tool: string;
  input: Record<string, unknown>;
  /** Null while it runs. */
  result: EventOf<'tool_result'> | null;
  /** What a sub-agent that this call started said and called. */
  items: readonly LogItem[];
}

export type LogItem = TextItem | CallItem;

/** One model request: its text, then its calls with their results. */
export interface RequestRow {
  type: 'request';
  seq: number;
  at: string;
  /** From 1, in the order of appearance. */
  number: number;
  messageId: string | null;
  /** When the event before it came: the request was sent then. Null at the start of a window. */
  sentAt: string | null;
  /** When its last own text or call came. */
  answeredAt: string;
  items: readonly LogItem[];
  usage: EventOf<'request_usage'> | null;
}

/** An event that is a row of its own; a result is one if its call is not among the loaded events. */
export type RowEvent = Exclude<
  StoredEvent,
  { kind: 'text' | 'answer_part' | 'tool_call' | 'request_usage' }
>;

export interface EventRow {
  type: 'event';
  seq: number;
  at: string;
  event: RowEvent;
}

/** Events that were never received; numbers are of the first and last one. */
export interface MissingRow {
  type: 'missing';
  seq: number;
  at: string;
  lastSeq: number;
}

export type LogRow = RequestRow | EventRow | MissingRow;

export interface LogState {
  rows: readonly LogRow[];
  /** Of the last event taken in; null before the first. */
  lastSeq: number | null;
  lastAt: string | null;
  requestCount: number;
  counts: { calls: number; denied: number; errors: number };
}

export const emptyLog: LogState = {
  rows: [],
  lastSeq: null,
  lastAt: null,
  requestCount: 0,
  counts: { calls: 0, denied: 0, errors: 0 },
};

/**
 * Takes in events in the order of their numbers. One that is already in is passed over, so a
 * reconnect may repeat some; a gap leaves a row that says which are missing. Rows that did not
 * change stay the same objects.
 */
export function appendEvents(state: LogState, events: readonly StoredEvent[]): LogState {
  const fresh = events.filter((event) => state.lastSeq === null || event.seq > state.lastSeq);
  if (fresh.length === 0) return state;
  const draft = new LogDraft(state);
  for (const event of fresh) draft.take(event);
  return draft.finish();
}

/**
 * A log while a batch of events goes into it. Rows are replaced and never changed; where a
 * request or a call stands is looked up, since a search would make a long log slow.
 */
class LogDraft {
  private readonly rows: LogRow[];
  private readonly counts: LogState['counts'];
  private lastSeq: number | null;
  private lastAt: string | null;
  private requestCount: number;
  /** Message and tool use ids to the row that holds them. */
  private readonly requests = new Map<string, number>();
  private readonly calls = new Map<string, number>();

  constructor(state: LogState) {
    this.rows = [...state.rows];
    this.counts = { ...state.counts };
    this.lastSeq = state.lastSeq;
    this.lastAt = state.lastAt;
    this.requestCount = state.requestCount;
    for (const [index, row] of this.rows.entries()) {
      if (row.type !== 'request') continue;
      if (row.messageId !== null) this.requests.set(row.messageId, index);
      this.rememberCalls(row.items, index);
    }
  }

  finish(): LogState {
    const { rows, counts, lastSeq, lastAt, requestCount } = this;
    return { rows, counts, lastSeq, lastAt, requestCount };
  }

  take(event: StoredEvent): void {
    if (this.lastSeq !== null && event.seq <= this.lastSeq) return;
    if (this.lastSeq !== null && event.seq > this.lastSeq + 1) {
      const first = this.lastSeq + 1;
      this.rows.push({ type: 'missing', seq: first, lastSeq: event.seq - 1, at: event.at });
    }
    this.place(event);
    this.lastSeq = event.seq;
    this.lastAt = event.at;
  }

  private place(event: StoredEvent): void {
    const { seq, at } = event;
    switch (event.kind) {
      case 'text':
        this.changeRequest(event.messageId, withoutUnfinished);
        if (event.text.trim() !== '')
          this.addItem(event, { type: 'text', seq, at, text: event.text });
        return;
      case 'answer_part':
        this.addItem(
          { ...event, parentToolUseId: null },
          { type: 'text', seq, at, text: event.text, isUnfinished: true },
        );
        return;
      case 'tool_call': {
        this.counts.calls += 1;
        const { toolUseId, tool, input } = event;
        const call = { toolUseId, tool, input, result: null, items: [] };
        this.addItem(event, { type: 'call', seq, at, ...call });
        return;
      }
      case 'request_usage':
        // A sub-agent's requests have no row of their own; the ledger has their tokens.
        this.changeRequest(event.messageId, (row) => ({ ...row, usage: event }));
        return;
      case 'tool_result':
        this.count(event);
        if (this.changeCall(event.toolUseId, (call) => ({ ...call, result: event }))) return;
        break;
      default:
        this.count(event);
    }
    this.rows.push({ type: 'event', seq, at, event });
  }

  private count(event: RowEvent): void {
    if (isDenied(event)) this.counts.denied += 1;
    else if (isError(event)) this.counts.errors += 1;
  }

  private addItem(
    event: Pick<EventOf<'text'>, 'seq' | 'at' | 'messageId' | 'parentToolUseId'>,
    item: LogItem,
  ): void {
    const isNested =
      event.parentToolUseId !== null &&
      this.changeCall(
        event.parentToolUseId,
        (call) => ({ ...call, items: [...call.items, item] }),
        item,
      );
    if (isNested) return;
    const index = this.changeRequest(event.messageId, (row) => ({
      ...row,
      answeredAt: event.at,
      items: [...row.items, item],
    }));
    this.rememberCalls([item], index ?? this.rows.length);
    if (index !== null) return;
    this.requestCount += 1;
    if (event.messageId !== null) this.requests.set(event.messageId, this.rows.length);
    this.rows.push({
      type: 'request',
      seq: event.seq,
      at: event.at,
      number: this.requestCount,
      messageId: event.messageId,
      sentAt: this.lastAt,
      answeredAt: event.at,
      items: [item],
      usage: null,
    });
  }

  /** The index of the row; null when there is none of this message. */
  private changeRequest(
    messageId: string | null,
    change: (row: RequestRow) => RequestRow,
  ): number | null {
    const index = messageId === null ? undefined : this.requests.get(messageId);
    const row = index === undefined ? undefined : this.rows[index];
    if (index === undefined || row?.type !== 'request') return null;
    this.rows[index] = change(row);
    return index;
  }

  private changeCall(
    toolUseId: string,
    change: (call: CallItem) => CallItem,
    added?: LogItem,
  ): boolean {
    const index = this.calls.get(toolUseId);
    const row = index === undefined ? undefined : this.rows[index];
    if (index === undefined || row?.type !== 'request') return false;
    const items = changeCallAmong(row.items, toolUseId, change);
    if (!items) return false;
    this.rows[index] = { ...row, items };
    if (added) this.rememberCalls([added], index);
    return true;
  }

  private rememberCalls(items: readonly LogItem[], index: number): void {
    for (const item of items) {
      if (item.type !== 'call') continue;
      this.calls.set(item.toolUseId, index);
      this.rememberCalls(item.items, index);
    }
  }
}

/** Whether an event says that a call, or a command of the command broker, was denied. */
export function isDenied(event: RowEvent): boolean {
  return event.kind === 'tool_result'
    ? event.denied
    : event.kind === 'brokered' && isDeniedCommand(event);
}

/** Whether an event is an error, other than a denial, which may carry that flag, too. */
export function isError(event: RowEvent): boolean {
  if (event.kind === 'notice') return event.level === 'critical';
  return (event.kind === 'tool_result' || event.kind === 'result') && event.isError;
}

/** The whole text of a message takes the place of what was there of it. */
function withoutUnfinished(row: RequestRow): RequestRow {
  const items = row.items.filter((item) => item.type === 'call' || !item.isUnfinished);
  return items.length === row.items.length ? row : { ...row, items };
}

function changeCallAmong(
  items: readonly LogItem[],
  toolUseId: string,
  change: (call: CallItem) => CallItem,
): readonly LogItem[] | null {
  for (const [index, item] of items.entries()) {
    if (item.type !== 'call') continue;
    if (item.toolUseId === toolUseId) return items.with(index, change(item));
    const nested = changeCallAmong(item.items, toolUseId, change);
    if (nested) return items.with(index, { ...item, items: nested });
  }
  return null;
}
