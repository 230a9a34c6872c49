import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AGENTS } from '@/lib/agents/registry';
import type { SessionEventDto } from '@/lib/insight/sessions/schema';
import { emptyFeed, estimatedMicros, type FollowedSession, SessionFeed, takeIn } from './feed';
import type { LogNews, NewsListener } from './stream';

const text = (seq: number, attemptId = 'att_1'): SessionEventDto => ({
  seq,
  attemptId,
  kind: 'text',
  at: '2026-11-21T14:00:00.000Z',
  isLate: false,
  payload: { kind: 'text', messageId: `m${seq}`, text: `line ${seq}`, parentToolUseId: null },
});

/** A request of a model that costs 1, 5 and 1.25 micro-dollars a token in, out and to the cache. */
const usage = (seq: number, messageId: string, outputTokens: number): SessionEventDto => ({
  ...text(seq),
  kind: 'request_usage',
  payload: {
    kind: 'request_usage',
    messageId,
    model: 'claude-haiku-4-5',
    inputTokens: 0,
    outputTokens,
    cacheReadTokens: 0,
    cacheWriteTokens: 4_000,
    final: outputTokens > 1,
    parentToolUseId: null,
  },
});

const nothingNew: LogNews = {
  events: [],
  hasMore: false,
  piece: null,
  status: 'running',
  statusText: '',
  isComplete: false,
  logState: 'kept',
};

/** A server that holds events, and whose connections the test cuts. */
class FakeServer {
  events: SessionEventDto[] = [];
  /** Sequence number up to which it has something to send. */
  upTo = Number.POSITIVE_INFINITY;
  isDown = false;
  readonly asked: number[] = [];
  private readers: { listener: NewsListener; sent: number }[] = [];

  readonly open = (after: number, _shown: unknown, listener: NewsListener) => {
    this.asked.push(after);
    if (this.isDown) {
      listener.onClosed(503);
      return () => {};
    }
    const reader = { listener, sent: after };
    this.readers.push(reader);
    listener.onOpen();
    this.push();
    return () => {
      this.readers = this.readers.filter((other) => other !== reader);
    };
  };

  get readerCount() {
    return this.readers.length;
  }

  push() {
    for (const reader of this.readers) {
      const events = this.events.filter(
        (event) => event.seq > reader.sent && event.seq <= this.upTo,
      );
      reader.sent = events.at(-1)?.seq ?? reader.sent;
      if (events.length > 0) reader.listener.onNews({ ...nothingNew, events });
    }
  }

  cut(status: number | null = null) {
    const { readers } = this;
    this.readers = [];
    for (const { listener } of readers) listener.onClosed(status);
  }

  send(news: Partial<LogNews>) {
    for (const { listener } of this.readers) listener.onNews({ ...nothingNew, ...news });
  }
}

/** The feed of a session that runs, whose log isn't shown yet. */
function feedOf(server: FakeServer, change: Partial<FollowedSession> = {}): SessionFeed {
  const standing = { status: 'running', statusText: '', isEnded: false };
  return new SessionFeed(server.open, {
    ...standing,
    lastSeq: 0,
    log: null,
    prices: null,
    ...change,
  });
}

function seqsOf(feed: SessionFeed): number[] {
  return feed.getState().log.rows.map((row) => row.seq);
}

describe('the feed of a session', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function started(events: SessionEventDto[]) {
    const server = new FakeServer();
    server.events = events;
    const feed = feedOf(server);
    feed.load({ events: [], after: 0, isWhole: false });
    feed.start();
    vi.advanceTimersByTime(0);
    return { server, feed };
  }

  it('[SAS-4.2] has no gap and no duplicate after three cuts, over one stream', () => {
    const { server, feed } = started([]);
    for (let seq = 1; seq <= 10_000; seq += 1) server.events.push(text(seq));
    for (const upTo of [2_500, 5_001, 7_777]) {
      server.upTo = upTo;
      server.push();
      server.cut();
      vi.advanceTimersByTime(1_000);
      expect(server.readerCount).toBe(1);
    }
    server.upTo = 10_000;
    server.push();
    vi.advanceTimersByTime(200);
    expect(server.asked).toEqual([0, 2_500, 5_001, 7_777]);
    expect(seqsOf(feed)).toEqual(Array.from({ length: 10_000 }, (_, index) => index + 1));
  });

  it('counts the cost of a request once: told at its start, and again at its end', () => {
    const prices = AGENTS.claude.prices;
    const begun = takeIn(emptyFeed, [usage(1, 'm1', 1)]);
    expect(estimatedMicros(begun, prices)).toBe(5_005);
    const ended = takeIn(begun, [usage(2, 'm1', 100), usage(3, 'm2', 1)]);
    expect(estimatedMicros(ended, prices)).toBe(5_500 + 5_005);
  });

  it('passes over what a server sends twice', () => {
    const { server, feed } = started([text(1), text(2)]);
    server.send({ events: [text(2)] });
    vi.advanceTimersByTime(200);
    expect(seqsOf(feed)).toEqual([1, 2]);
  });

  it('shows a true gap as one', () => {
    const { feed } = started([text(1), text(5)]);
    vi.advanceTimersByTime(200);
    expect(feed.getState().log.rows[1]).toMatchObject({ type: 'missing', seq: 2, lastSeq: 4 });
  });

  it('waits longer after each failed try, and says since when', () => {
    const { server, feed } = started([]);
    server.isDown = true;
    server.cut();
    for (const wait of [1_000, 2_000, 5_000, 10_000, 10_000]) {
      const before = server.asked.length;
      vi.advanceTimersByTime(wait - 1);
      expect(server.asked.length).toBe(before);
      vi.advanceTimersByTime(1);
      expect(server.asked.length).toBe(before + 1);
    }
    expect(feed.getState().connection).toEqual({ kind: 'broken', since: Date.now() - 28_000 });
  });

  it('opens one stream, however often the page is drawn at its start', () => {
    const server = new FakeServer();
    const feed = feedOf(server, { lastSeq: 3 });
    feed.start();
    feed.load({ events: [], after: 0, isWhole: false });
    feed.stop();
    feed.start();
    vi.advanceTimersByTime(0);
    expect(server.readerCount).toBe(1);
    expect(server.asked.at(-1)).toBe(0);
  });

  it('does not ask again when it is refused', () => {
    const { server, feed } = started([]);
    server.cut(404);
    vi.advanceTimersByTime(60_000);
    expect(feed.getState().connection).toEqual({ kind: 'refused', status: 404 });
    expect(server.asked).toHaveLength(1);
  });

  it('closes its stream at the end, with everything drawn', () => {
    const { server, feed } = started([text(1)]);
    server.send({ status: 'completed', isComplete: true });
    expect(seqsOf(feed)).toEqual([1]);
    expect(feed.getState().connection).toEqual({ kind: 'ended' });
    expect(server.readerCount).toBe(0);
  });

  describe('an answer that is being written', () => {
    const piece = (from: number, words: string, messageId = 'm2') => ({
      messageId,
      from,
      text: words,
    });
    const written = (feed: SessionFeed) => {
      vi.advanceTimersByTime(200);
      return feed.getState().writing?.text ?? null;
    };

    it('grows, and gives way to its message', () => {
      const { server, feed } = started([text(1)]);
      server.send({ piece: piece(0, 'line ') });
      expect(written(feed)).toBe('line ');
      server.send({ piece: piece(5, '2 of') });
      expect(written(feed)).toBe('line 2 of');
      expect(seqsOf(feed)).toEqual([1]);
      server.send({ events: [text(2)] });
      expect(written(feed)).toBeNull();
      expect(seqsOf(feed)).toEqual([1, 2]);
    });

    it('keeps its order with the messages around it, however they are drawn', () => {
      const { server, feed } = started([text(1)]);
      server.send({ piece: piece(0, 'line 2') });
      server.send({ events: [text(2)] });
      server.send({ piece: piece(0, 'line ', 'm3') });
      expect(written(feed)).toBe('line ');
      server.send({ piece: piece(5, '3', 'm3') });
      server.send({ events: [text(3)] });
      expect(written(feed)).toBeNull();
      expect(seqsOf(feed)).toEqual([1, 2, 3]);
    });

    it('is sent from its beginning again after a cut, and appears once', () => {
      const { server, feed } = started([text(1)]);
      server.send({ piece: piece(0, 'line 2 ') });
      expect(written(feed)).toBe('line 2 ');
      server.cut();
      expect(written(feed)).toBe('line 2 ');
      vi.advanceTimersByTime(1_000);
      server.send({ piece: piece(0, 'line 2 of') });
      expect(written(feed)).toBe('line 2 of');
    });

    it('is there from the start where the page came in the middle of it', () => {
      const server = new FakeServer();
      const feed = feedOf(server, { lastSeq: 1 });
      feed.load({
        events: [text(1)],
        after: 0,
        isWhole: false,
        writing: { messageId: 'm2', text: 'li' },
      });
      expect(feed.getState().writing?.text).toBe('li');
    });

    it('gives way to what was left of it', () => {
      const { server, feed } = started([text(1)]);
      server.send({ piece: piece(0, 'line ') });
      server.send({
        events: [
          {
            ...text(2),
            kind: 'answer_part',
            payload: { kind: 'answer_part', messageId: 'm2', text: 'line ' },
          },
        ],
      });
      expect(written(feed)).toBeNull();
      expect(seqsOf(feed)).toEqual([1, 2]);
    });
  });

  it('follows only the standing until a log is asked for', () => {
    const server = new FakeServer();
    server.events = [text(1), text(2), text(3)];
    const feed = feedOf(server, { lastSeq: 3 });
    feed.start();
    vi.advanceTimersByTime(0);
    server.send({ status: 'stopping' });
    expect(feed.getState().standing?.status).toBe('stopping');
    expect(seqsOf(feed)).toEqual([]);
    feed.load({ events: [text(1)], after: 0, isWhole: false });
    vi.advanceTimersByTime(200);
    expect(seqsOf(feed)).toEqual([1, 2, 3]);
    expect(server.readerCount).toBe(1);
  });
});

it('knows where each attempt begins', () => {
  const state = takeIn(emptyFeed, [text(1), text(2), text(3, 'att_2')]);
  expect(state.attemptStarts).toEqual([
    { attemptId: 'att_1', seq: 1 },
    { attemptId: 'att_2', seq: 3 },
  ]);
  expect(takeIn(state, [text(3, 'att_2')])).toBe(state);
});

describe('what a running session has cost', () => {
  const prices = AGENTS.claude.prices;
  // 4,000 tokens to the cache and 1,000 out.
  const MICROS = 10_000;

  it('counts the requests that came before the page, with those of the stream', () => {
    const server = new FakeServer();
    const feed = feedOf(server, { lastSeq: 2, usages: [usage(2, 'm1', 1_000)] });
    expect(estimatedMicros(feed.getState(), prices)).toBe(MICROS);
    feed.load({ events: [text(1)], after: 0, isWhole: false });
    expect(estimatedMicros(feed.getState(), prices)).toBe(MICROS);
  });

  it('counts them on a page that shows no log', () => {
    const server = new FakeServer();
    const feed = feedOf(server, { lastSeq: 1 });
    feed.reconnect();
    server.send({ events: [usage(2, 'm1', 1_000)] });
    expect(seqsOf(feed)).toEqual([]);
    expect(estimatedMicros(feed.getState(), prices)).toBe(MICROS);
  });

  it('leaves out the attempts that the ledger has', () => {
    const state = takeIn(emptyFeed, [
      usage(1, 'm1', 1_000),
      { ...usage(2, 'm2', 1_000), attemptId: 'att_2' },
    ]);
    expect(estimatedMicros(state, prices, ['att_1'])).toBe(MICROS);
    expect(estimatedMicros(state, prices, ['att_1', 'att_2'])).toBe(0);
  });
});
