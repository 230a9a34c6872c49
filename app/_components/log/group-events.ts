import type { CallItem, EventOf, LogItem, LogRow, RequestRow, StoredEvent } from './log-rows';

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
  return events.reduce(appendEvent, state);
}

function appendEvent(before: LogState, event: StoredEvent): LogState {
  if (before.lastSeq !== null && event.seq <= before.lastSeq) return before;
  const state = withGap(before, event);
  return { ...take(state, event), lastSeq: event.seq, lastAt: event.at };
}

function withGap(state: LogState, event: StoredEvent): LogState {
  if (state.lastSeq === null || event.seq === state.lastSeq + 1) return state;
  const first = state.lastSeq + 1;
  return addRow(state, { type: 'missing', seq: first, lastSeq: event.seq - 1, at: event.at });
}

function take(state: LogState, event: StoredEvent): LogState {
  const { seq, at } = event;
  switch (event.kind) {
    case 'text':
      if (event.text.trim() === '') return state;
      return addItem(state, event, { type: 'text', seq, at, text: event.text });
    case 'tool_call':
      return addItem(count(state, { calls: 1 }), event, {
        type: 'call',
        seq,
        at,
        toolUseId: event.toolUseId,
        tool: event.tool,
        input: event.input,
        result: null,
        items: [],
      });
    case 'tool_result':
      return addResult(state, event);
    case 'request_usage':
      // A sub-agent's requests have no row of their own; the ledger has their tokens.
      return changeRequest(state, event.messageId, (row) => ({ ...row, usage: event })) ?? state;
    case 'notice':
      return addRow(count(state, { errors: event.level === 'critical' ? 1 : 0 }), {
        type: 'notice',
        seq,
        at,
        level: event.level,
        code: event.code,
        message: event.message,
        service: event.service ?? null,
      });
    case 'stderr':
      return addRow(state, { type: 'stderr', seq, at, text: event.text });
    case 'result':
      return addRow(count(state, { errors: event.isError ? 1 : 0 }), {
        type: 'meta',
        seq,
        at,
        event,
      });
    default:
      return addRow(state, { type: 'meta', seq, at, event });
  }
}

function addRow(state: LogState, row: LogRow): LogState {
  return { ...state, rows: [...state.rows, row] };
}

function count(state: LogState, more: Partial<LogState['counts']>): LogState {
  const { calls, denied, errors } = state.counts;
  return {
    ...state,
    counts: {
      calls: calls + (more.calls ?? 0),
      denied: denied + (more.denied ?? 0),
      errors: errors + (more.errors ?? 0),
    },
  };
}

function addItem(
  state: LogState,
  event: EventOf<'text'> | EventOf<'tool_call'>,
  item: LogItem,
): LogState {
  if (event.parentToolUseId !== null) {
    const nested = changeCall(state, event.parentToolUseId, (call) => ({
      ...call,
      items: [...call.items, item],
    }));
    if (nested) return nested;
  }
  const added = changeRequest(state, event.messageId, (row) => ({
    ...row,
    answeredAt: event.at,
    items: [...row.items, item],
  }));
  if (added) return added;
  const row: RequestRow = {
    type: 'request',
    seq: event.seq,
    at: event.at,
    number: state.requestCount + 1,
    messageId: event.messageId,
    sentAt: state.lastAt,
    answeredAt: event.at,
    items: [item],
    usage: null,
  };
  return { ...addRow(state, row), requestCount: row.number };
}

function addResult(before: LogState, event: EventOf<'tool_result'>): LogState {
  const state = count(before, {
    denied: event.denied ? 1 : 0,
    errors: event.isError && !event.denied ? 1 : 0,
  });
  return (
    changeCall(state, event.toolUseId, (call) => ({ ...call, result: event })) ??
    addRow(state, { type: 'late_result', seq: event.seq, at: event.at, result: event })
  );
}

// Searched from the end, where nearly every match is.
function changeRequest(
  state: LogState,
  messageId: string | null,
  change: (row: RequestRow) => RequestRow,
): LogState | null {
  if (messageId === null) return null;
  const index = state.rows.findLastIndex(
    (row) => row.type === 'request' && row.messageId === messageId,
  );
  const row = state.rows[index];
  return row?.type === 'request' ? { ...state, rows: state.rows.with(index, change(row)) } : null;
}

function changeCall(
  state: LogState,
  toolUseId: string,
  change: (call: CallItem) => CallItem,
): LogState | null {
  for (let index = state.rows.length - 1; index >= 0; index -= 1) {
    const row = state.rows[index];
    if (row?.type !== 'request') continue;
    const items = changeCallAmong(row.items, toolUseId, change);
    if (items) return { ...state, rows: state.rows.with(index, { ...row, items }) };
  }
  return null;
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
