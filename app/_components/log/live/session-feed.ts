import { estimateCost, type PriceTable, type TokenCounts } from '@/lib/agents/prices';
import { isWholeAnswer, withPiece } from '@/lib/engine/events/pieces';
import type { AnswerPiece, UnfinishedAnswer } from '@/lib/engine/events/unfinished';
import type { SessionEventDto } from '@/lib/insight/sessions/schema';
import { appendEvents, emptyLog, type LogState } from '../group-events';
import type { LogNews, OpenNews } from './session-stream';
import { storedEvent } from './stored-event';

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

export interface Standing {
  status: string;
  statusText: string;
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
  /** Of the newest checkpoint seen. */
  checkpointSeq: number;
  standing: Standing | null;
  connection: FeedConnection;
}

export const emptyFeed: FeedState = {
  log: emptyLog,
  writing: null,
  attemptStarts: [],
  requests: new Map(),
  checkpointSeq: 0,
  standing: null,
  connection: { kind: 'idle' },
};

/** Takes in events in order; one that is in already changes nothing. */
export function takeIn(state: FeedState, events: readonly SessionEventDto[]): FeedState {
  const last = state.log.lastSeq ?? 0;
  const fresh = events.filter((event) => event.seq > last);
  if (fresh.length === 0) return state;
  const starts = [...state.attemptStarts];
  const requests = new Map<string, RequestTokens>();
  let { checkpointSeq } = state;
  const stored = fresh.map((event) => {
    const { attemptId, seq } = event;
    if (attemptId && !starts.some((start) => start.attemptId === attemptId)) {
      starts.push({ attemptId, seq });
    }
    const known = storedEvent(event);
    if (known.kind === 'request_usage') {
      requests.set(known.messageId, { ...known, attemptId });
    }
    if (known.kind === 'checkpoint') checkpointSeq = seq;
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
    checkpointSeq,
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
  private readonly listeners = new Set<() => void>();
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

  private readonly first: FeedState;

  /**
   * `lastSeq`: events up to it are not asked for, until `load` says otherwise. `usages`: what the
   * requests among them used.
   */
  constructor(
    private readonly open: OpenNews,
    lastSeq: number,
    standing: Standing | null = null,
    usages: readonly SessionEventDto[] = [],
  ) {
    this.lastSeq = lastSeq;
    this.state = { ...emptyFeed, standing, requests: takeIn(emptyFeed, usages).requests };
    this.first = this.state;
  }

  /** As the server drew it. */
  readonly getFirstState = (): FeedState => this.first;

  readonly getState = (): FeedState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Starts a log with these events; `isWhole`: the session has ended and there are no others. */
  load(
    events: readonly SessionEventDto[],
    options: { after: number; isWhole: boolean; writing?: UnfinishedAnswer | null },
  ): void {
    if (this.hasEvents) return;
    this.hasEvents = true;
    this.waiting = [];
    this.pieces = [];
    this.lastSeq = events.at(-1)?.seq ?? options.after;
    const { standing, requests } = this.state;
    const log = takeIn({ ...emptyFeed, standing, requests }, events);
    this.set({ ...log, writing: options.writing ?? null });
    if (options.isWhole) this.end();
    else if (this.isStarted) this.connect();
  }

  /** A session that has ended needs a stream only when its log is looked at. */
  start({ isEnded }: { isEnded: boolean }): void {
    this.isStarted = true;
    if (isEnded && !this.hasEvents) return;
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
  readonly reconnect = (): void => {
    this.failures = 0;
    this.connect();
  };

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
    for (const listener of this.listeners) listener();
  }
}
