import type { LogSession } from './entries';
import { LOG_FILTERS, type LogFilter } from './rows';

/** What of a session's log the address holds: `?event=1204&q=disk&show=denied`. */
export interface LogView {
  /** Its number within the session, which never changes. */
  event: number | null;
  query: string;
  filter: LogFilter;
}

type Params = Record<string, string | string[] | undefined>;

export function readLogView(params: Params): LogView {
  const one = (name: string) => (typeof params[name] === 'string' ? params[name] : '');
  return {
    event: /^\d{1,9}$/.test(one('event')) ? Number(one('event')) : null,
    query: one('q').slice(0, 200),
    filter: LOG_FILTERS.find((filter) => filter === one('show')) ?? 'all',
  };
}

/** The query string of a view, `''` for the plain one. */
export function writeLogView({ event, query, filter }: LogView): string {
  const params = new URLSearchParams();
  if (event !== null) params.set('event', String(event));
  if (query !== '') params.set('q', query);
  if (filter !== 'all') params.set('show', filter);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** The id of an event's element: `event-12`, or `session-8-event-12` in a chain's log. */
export function rowId({ sessionNumber }: { sessionNumber?: number }, seq: number): string {
  return sessionNumber === undefined ? `event-${seq}` : `session-${sessionNumber}-event-${seq}`;
}

/** Where a row is in the page: a session's own log has no other's events beside it. */
export function placeOf({ part, number }: LogSession, seq: number): string {
  return rowId(part ? { sessionNumber: number } : {}, seq);
}

/** The address of an event in the log that the browser shows. */
export function eventLink(session: LogSession, seq: number): string {
  const { origin, pathname } = window.location;
  const page = `${origin}${pathname}`;
  return session.part
    ? `${page}#${placeOf(session, seq)}`
    : `${page}${writeLogView({ event: seq, query: '', filter: 'all' })}`;
}
