import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SessionEventDto } from '@/lib/insight/sessions/schema';
import { LogFeed } from './feed';
import type { LogNews, NewsListener, OpenNews } from './stream';

const text = (seq: number): SessionEventDto => ({
  seq,
  attemptId: 'att_1',
  kind: 'text',
  at: '2026-11-21T14:00:00.000Z',
  isLate: false,
  payload: { kind: 'text', messageId: `m${seq}`, text: `line ${seq}`, parentToolUseId: null },
});

const news = (change: Partial<LogNews>): LogNews => ({
  events: [],
  hasMore: false,
  piece: null,
  status: 'running',
  statusText: '',
  isComplete: false,
  logState: 'kept',
  ...change,
});

interface Opened {
  id: string;
  after: number;
  listener: NewsListener;
  isClosed: boolean;
}

/** What the feed opened, in order. */
let opened: Opened[];
let feed: LogFeed;

beforeEach(() => {
  vi.useFakeTimers();
  opened = [];
  feed = feedOf([]);
});

afterEach(() => {
  vi.useRealTimers();
});

function feedOf(sessions: ConstructorParameters<typeof LogFeed>[1]): LogFeed {
  const open =
    (id: string): OpenNews =>
    (after, _shown, listener) => {
      const one: Opened = { id, after, listener, isClosed: false };
      opened.push(one);
      return () => {
        one.isClosed = true;
      };
    };
  return new LogFeed(open, sessions);
}

const running = (id: string, events: SessionEventDto[] = [], after = 0) => ({
  ...{ id, status: 'running', statusText: '', isEnded: false, prices: null },
  lastSeq: events.at(-1)?.seq ?? after,
  log: { events, after, isWhole: false },
});

const ended = (id: string, events: SessionEventDto[] = []) => ({
  ...running(id, events),
  ...{ status: 'escalated', isEnded: true, log: { events, after: 0, isWhole: true } },
});

const linesOf = (id: string) => feed.getState().get(id)?.log.rows.length;
const stateOf = (id: string) => feed.getState().get(id)?.connection.kind;

it('[PAG-1.1] the feed of a chain advances from tier 1 to tier 2 when its session appears', () => {
  feed.take([running('ses_1', [text(1)])]);
  feed.start();
  vi.runOnlyPendingTimers();
  expect(opened.map(({ id, after }) => [id, after])).toEqual([['ses_1', 1]]);
  opened[0]?.listener.onNews(news({ events: [text(2)] }));
  opened[0]?.listener.onNews(news({ events: [text(3)], isComplete: true, status: 'escalated' }));
  vi.runOnlyPendingTimers();
  expect(linesOf('ses_1')).toBe(3);
  expect(stateOf('ses_1')).toBe('ended');

  feed.take([ended('ses_1', [text(1), text(2), text(3)]), running('ses_2')]);
  vi.runOnlyPendingTimers();
  expect(opened.map(({ id }) => id)).toEqual(['ses_1', 'ses_2']);
  opened[1]?.listener.onNews(news({ events: [text(1)] }));
  vi.runOnlyPendingTimers();
  expect(linesOf('ses_2')).toBe(1);
  expect([...feed.getState().keys()]).toEqual(['ses_1', 'ses_2']);
});

it('a session that ended before the page was made is drawn and not followed', () => {
  feed.take([ended('ses_1', [text(1), text(2)])]);
  feed.start();
  vi.runOnlyPendingTimers();
  expect(opened).toEqual([]);
  expect(linesOf('ses_1')).toBe(2);
  expect(stateOf('ses_1')).toBe('ended');
});

it('a page made again brings nothing twice, and takes nothing away', () => {
  feed.take([running('ses_1', [text(1)])]);
  feed.start();
  vi.runOnlyPendingTimers();
  opened[0]?.listener.onNews(news({ events: [text(2)] }));
  vi.runOnlyPendingTimers();
  feed.take([running('ses_1', [text(1)])]);
  vi.runOnlyPendingTimers();
  expect(opened).toHaveLength(1);
  expect(linesOf('ses_1')).toBe(2);
});

it('a session that is far along begins with its newest events, and remembers what it left out', () => {
  feed.take([running('ses_1', [text(1_001)], 1_000)]);
  expect(feed.getState().get('ses_1')).toMatchObject({ after: 1_000 });
  feed.start();
  vi.runOnlyPendingTimers();
  expect(opened[0]?.after).toBe(1_001);
});

it('a part of the page that comes alive late begins with what the server drew', () => {
  feed = feedOf([running('ses_1', [text(1)])]);
  feed.start();
  vi.runOnlyPendingTimers();
  opened[0]?.listener.onNews(news({ events: [text(2)] }));
  vi.runOnlyPendingTimers();
  expect(linesOf('ses_1')).toBe(2);
  expect(feed.getFirstState().get('ses_1')?.log.rows).toHaveLength(1);
});

it('leaving the page ends what is followed', () => {
  feed.take([running('ses_1')]);
  feed.start();
  vi.runOnlyPendingTimers();
  feed.stop();
  expect(opened.every(({ isClosed }) => isClosed)).toBe(true);
});
