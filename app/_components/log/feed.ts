import { estimateCost, type PriceTable, type TokenCounts } from '@/lib/agents/prices';
import { isWholeAnswer, withPiece } from '@/lib/engine/events/pieces';
import type { AnswerPiece, UnfinishedAnswer } from '@/lib/engine/events/unfinished';
import type { SessionEventDto } from '@/lib/insight/sessions/schema';
import { appendEvents, emptyLog, type LogState, storedEvent } from './events';
import type { LogNews, OpenNews } from './stream';

const RETRY_MS = [1_000, 2_000, 5_000, 10_000];
/** New events are drawn at most ten times a second, the first of a quiet spell at once. */
const DRAW_MS = 100;

export type FeedConnection =
  | { kind: 'idle' }
  | { kind: 'connecting' }
  | { kind: 'live' }
  /** `since`: milliseconds since the epoch. */
  | { kind: 'broken'; since: number }
  | { kind: 'refused'; status: number }
  /** Nothing more will come. */
  | { kind: 'ended' };

interface Standing {
  status: string;
  statusText: string;
}

/** What a page brings of a session's log; the stream brings the rest. */
export interface FirstEvents {
  events: readonly SessionEventDto[];
  /** Events up to this number are left out. */
  after: number;
  /** The session has ended, and there are no other events. */
  isWhole: boolean;
  /** What the agent was writing when the page was made. */
  writing?: UnfinishedAnswer | null;
}

/** A session as a page follows it. */
export interface FollowedSession extends Standing {
  /** `ses_…` */
  id: string;
  isEnded: boolean;
  /** Number of its newest event when the page was made. */
  lastSeq: number;
  /** Null until a log is shown: then only its standing and its cost are followed. */
  log: FirstEvents | null;
  /** What the requests up to `lastSeq` used, for a session that runs. */
  usages?: readonly SessionEventDto[];
  /** Of the agent that works; null where that isn't known yet. */
  prices: PriceTable | null;
}

interface RequestTokens extends TokenCounts {
  model: string;
  /** Null for events of the control plane. */
  attemptId: string | null;
}

export interface FeedState {
  log: LogState;
  /** What the agent is writing: no part of the log before it is whole. */
  writing: UnfinishedAnswer | null;
  /** Where each attempt's events begin, in order. */
  attemptStarts: readonly { attemptId: string; seq: number }[];
  /** Each request seen, by its message: it is told at its start, and again at its end. */
  requests: ReadonlyMap<string, RequestTokens>;
  /** Events up to this number were never asked for. */
  after: number;
  /** Of the newest event since the page was made that changes what else it shows. */
  notedSeq: number;
  standing: Standing | null;
  prices: PriceTable | null;
  connection: FeedConnection;
}

/** Kinds of events behind which the page has something to draw. */
const NOTED: readonly string[] = ['checkpoint', 'question', 'question_closed'];

export const emptyFeed: FeedState = {
  log: emptyLog,
  writing: null,
  attemptStarts: [],
  requests: new Map(),
  after: 0,
  notedSeq: 0,
  standing: null,
  prices: null,
  connection: { kind: 'idle' },
};

/** Takes in events in order; one that is in already changes nothing. */
export function takeIn(state: FeedState, events: readonly SessionEventDto[]): FeedState {
  const last = state.log.lastSeq ?? 0;
  const fresh = events.filter((event) => event.seq > last);
  if (fresh.length === 0) return state;
  const starts = [...state.attemptStarts];
  const requests = new Map<string, RequestTokens>();
  const stored = fresh.map((event) => {
    const { attemptId, seq } = event;
    if (attemptId && !starts.some((start) => start.attemptId === attemptId)) {
      starts.push({ attemptId, seq });
    }
    const known = storedEvent(event);
    if (known.kind === 'request_usage') {
      requests.set(known.messageId, { ...known, attemptId });
    }
    return known;
  });
  const writing = fresh.some(isWholeAnswer) ? null : state.writing;
  const attemptStarts = starts.length === state.attemptStarts.length ? state.attemptStarts : starts;
  const log = appendEvents(state.log, stored);
  return {
    ...state,
    log,
    writing,
    attemptStarts,
    requests: requests.size === 0 ? state.requests : new Map([...state.requests, ...requests]),
  };
}

/**
 * Of the requests seen, in micro-dollars; 0 where the agent's prices are not known. Attempts that
 * are in the ledger are left out.
 */
export function estimatedMicros(
  { requests }: Pick<FeedState, 'requests'>,
  prices: PriceTable | null,
  bookedAttempts: readonly string[] = [],
): number {
  if (prices === null) return 0;
  return [...requests.values()]
    .filter(({ attemptId }) => attemptId === null || !bookedAttempts.includes(attemptId))
    .reduce(
      (sum, request) => sum + Math.round(estimateCost(prices, request.model, request) * 1_000_000),
      0,
    );
}

/**
 * The events of one session, as they arrive. After a broken connection it asks for what comes behind
 * the last number it has, so that nothing is missing and nothing is there twice.
 */
export class SessionFeed {
  private state: FeedState;
  private waiting: SessionEventDto[] = [];
  private pieces: AnswerPiece[] = [];
  private lastSeq: number;
  private failures = 0;
  private isStarted = false;
  private hasEvents = false;
  private closeStream: (() => void) | null = null;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private drawTimer: ReturnType<typeof setTimeout> | undefined;
  private drawnAt = 0;

  /** Events up to its `lastSeq` are not asked for, unless a log says otherwise. */
  constructor(
    private readonly open: OpenNews,
    private readonly session: Omit<FollowedSession, 'id'>,
    private readonly onChange: (state: FeedState) => void = () => undefined,
  ) {
    const { status, statusText, lastSeq, log, usages = [], prices } = session;
    this.lastSeq = lastSeq;
    const { requests } = takeIn(emptyFeed, usages);
    this.state = { ...emptyFeed, standing: { status, statusText }, requests, prices };
    if (log) this.load(log);
  }

  getState(): FeedState {
    return this.state;
  }

  /** Starts a log with these events, unless there is one. */
  load({ events, after, isWhole, writing = null }: FirstEvents): void {
    if (this.hasEvents) return;
    this.hasEvents = true;
    this.waiting = [];
    this.pieces = [];
    this.lastSeq = events.at(-1)?.seq ?? after;
    const { standing, requests, prices, notedSeq } = this.state;
    const before = { ...emptyFeed, standing, requests, prices, notedSeq, after };
    this.set({ ...takeIn(before, events), writing });
    if (isWhole) this.end();
    else if (this.isStarted) this.connect();
  }

  /** A session that has ended needs a stream only when its log is looked at. */
  start(): void {
    this.isStarted = true;
    if (this.session.isEnded && !this.hasEvents) return;
    if (this.state.connection.kind === 'ended' || this.closeStream) return;
    this.set({ connection: { kind: 'connecting' } });
    // A page that is left right away, or brings a log, opens no stream for nothing.
    this.retryTimer = setTimeout(() => this.connect(), 0);
  }

  stop(): void {
    this.isStarted = false;
    this.disconnect();
    if (this.state.connection.kind !== 'ended') this.set({ connection: { kind: 'idle' } });
  }

  /** At once, without waiting for the next try. */
  reconnect(): void {
    if (this.state.connection.kind === 'ended') return;
    this.failures = 0;
    this.connect();
  }

  private connect(): void {
    this.disconnect();
    const { kind } = this.state.connection;
    if (kind === 'idle' || kind === 'refused') this.set({ connection: { kind: 'connecting' } });
    const writing = this.pieces.reduce<UnfinishedAnswer | null>(withPiece, this.state.writing);
    this.closeStream = this.open(this.lastSeq, writing, {
      onOpen: () => {
        this.failures = 0;
        this.set({ connection: { kind: 'live' } });
      },
      onNews: (news) => this.receive(news),
      onClosed: (status) => this.broke(status),
    });
  }

  private disconnect(): void {
    clearTimeout(this.retryTimer);
    this.closeStream?.();
    this.closeStream = null;
  }

  private broke(status: number | null): void {
    this.closeStream = null;
    // A server that is starting answers 502 or 503; anything below means us.
    if (status !== null && status < 500) {
      this.set({ connection: { kind: 'refused', status } });
      return;
    }
    const before = this.state.connection;
    const since = before.kind === 'broken' ? before.since : Date.now();
    this.set({ connection: { kind: 'broken', since } });
    const wait = RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)];
    this.failures += 1;
    this.retryTimer = setTimeout(() => this.connect(), wait);
  }

  private receive({ events, piece, status, statusText, isComplete }: LogNews): void {
    for (const event of events) this.add(event);
    if (piece) this.grow(piece);
    this.stand({ status, statusText });
    if (isComplete) this.end();
  }

  private stand({ status, statusText }: Standing): void {
    const { standing } = this.state;
    if (standing?.status === status && standing.statusText === statusText) return;
    this.set({ standing: { status, statusText } });
  }

  private add(event: SessionEventDto): void {
    if (event.seq <= this.lastSeq) return;
    this.lastSeq = event.seq;
    if (event.seq > this.session.lastSeq && NOTED.includes(event.kind)) {
      this.set({ notedSeq: event.seq });
    }
    if (!this.hasEvents) {
      this.count(event);
      return;
    }
    this.waiting.push(event);
    // What was being written before it is in it.
    if (isWholeAnswer(event)) this.pieces = [];
    this.drawSoon();
  }

  /** Without a log its cost is told all the same. */
  private count(event: SessionEventDto): void {
    const { requests } = takeIn(emptyFeed, [event]);
    if (requests.size > 0) this.set({ requests: new Map([...this.state.requests, ...requests]) });
  }

  private grow(piece: AnswerPiece): void {
    if (!this.hasEvents) return;
    this.pieces.push(piece);
    this.drawSoon();
  }

  private drawSoon(): void {
    const waitMs = Math.max(0, this.drawnAt + DRAW_MS - Date.now());
    this.drawTimer ??= setTimeout(() => this.draw(), waitMs);
  }

  private draw(): void {
    clearTimeout(this.drawTimer);
    this.drawTimer = undefined;
    this.drawnAt = Date.now();
    const { waiting, pieces } = this;
    this.waiting = [];
    this.pieces = [];
    if (waiting.length + pieces.length === 0) return;
    const state = takeIn(this.state, waiting);
    this.set({
      ...state,
      writing: pieces.reduce<UnfinishedAnswer | null>(withPiece, state.writing),
    });
  }

  private end(): void {
    this.draw();
    this.disconnect();
    this.set({ connection: { kind: 'ended' } });
  }

  private set(change: Partial<FeedState>): void {
    this.state = { ...this.state, ...change };
    this.onChange(this.state);
  }
}

/** By session, in the order in which they appeared. */
export type LogStates = ReadonlyMap<string, FeedState>;

/** The events of all sessions of a page: one feed for each, which begins when the session appears. */
export class LogFeed {
  private states: LogStates = new Map();
  private readonly feeds = new Map<string, SessionFeed>();
  private readonly listeners = new Set<() => void>();
  private isStarted = false;
  private readonly first: LogStates;

  /**
   * @param open follows a session by its id
   * @param sessions those that the page was made with
   */
  constructor(
    private readonly open: (sessionId: string) => OpenNews,
    sessions: readonly FollowedSession[],
  ) {
    this.take(sessions);
    this.first = this.states;
  }

  /** As the server drew it, for a part of the page that comes alive after events have arrived. */
  readonly getFirstState = (): LogStates => this.first;

  readonly getState = (): LogStates => this.states;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Takes in sessions that it doesn't have yet; those that it follows know more than the page. */
  take(sessions: readonly FollowedSession[]): void {
    for (const session of sessions) {
      if (!this.feeds.has(session.id)) this.add(session);
    }
  }

  load(sessionId: string, log: FirstEvents): void {
    this.feeds.get(sessionId)?.load(log);
  }

  start(): void {
    this.isStarted = true;
    for (const feed of this.feeds.values()) feed.start();
  }

  stop(): void {
    this.isStarted = false;
    for (const feed of this.feeds.values()) feed.stop();
  }

  readonly reconnect = (): void => {
    for (const feed of this.feeds.values()) feed.reconnect();
  };

  private add(session: FollowedSession): void {
    const { id } = session;
    const keep = (state: FeedState) => {
      this.states = new Map(this.states).set(id, state);
      for (const listener of this.listeners) listener();
    };
    const feed = new SessionFeed(this.open(id), session, keep);
    this.feeds.set(id, feed);
    keep(feed.getState());
    if (this.isStarted) feed.start();
  }
}
