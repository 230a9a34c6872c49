import type { OpenStream } from './hint-stream';
import { ALIVE_MS, type ConnectionMessage, type StreamState, type TabMessage } from './messages';

/** A tab that was silent for longer has crashed, or its computer slept; its next message brings it back. */
const LOST_MS = 3 * ALIVE_MS;
const RETRY_MS = [1_000, 2_000, 5_000, 10_000];
/** Tabs that are switched or navigated come and go within this time. */
const SETTLE_MS = 50;
/** The connection stays open for this long after the last tab was hidden. */
const GRACE_MS = 2_000;

/** One side of a MessageChannel, or of a SharedWorker's connection. */
export interface Port {
  postMessage: (message: ConnectionMessage) => void;
  onmessage: ((event: MessageEvent<TabMessage>) => void) | null;
}

interface Tab {
  port: Port;
  topics: ReadonlySet<string>;
  seenAt: number;
}

interface Stream {
  topics: ReadonlySet<string>;
  isReady: boolean;
  close: () => void;
}

/**
 * The one live connection of a browser, for all its visible tabs. It exists while a tab is visible:
 * over HTTP/1.1 a browser opens six connections to a host at most, for all tabs together.
 *
 * When a tab needs a topic that the stream doesn't cover, the next stream opens before the old one
 * closes, so that no hint is lost between them.
 */
export class SharedConnection {
  private readonly tabs = new Map<Port, Tab>();
  private stream: Stream | null = null;
  private next: Stream | null = null;
  private state: StreamState = 'connecting';
  private failures = 0;
  private settleTimer: ReturnType<typeof setTimeout> | undefined;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private graceTimer: ReturnType<typeof setTimeout> | undefined;
  private sweepTimer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly open: OpenStream) {}

  accept(port: Port): void {
    port.onmessage = ({ data }) => this.receive(port, data);
  }

  private receive(port: Port, message: TabMessage): void {
    if (message.kind === 'leave') this.remove(port);
    else if (message.kind === 'retry') this.retryNow();
    else this.follow(port, message.topics);
  }

  private follow(port: Port, topics: readonly string[]): void {
    const before = this.tabs.get(port);
    const tab = { port, topics: new Set(topics), seenAt: Date.now() };
    this.tabs.set(port, tab);
    clearTimeout(this.graceTimer);
    this.sweepTimer ??= setInterval(() => this.removeLost(), ALIVE_MS);
    port.postMessage({ kind: 'state', state: this.state });
    // The tab was not notified of changes before it followed the topic.
    const added = [...tab.topics].filter((topic) => !before?.topics.has(topic));
    if (this.stream?.isReady) this.tell(tab, new Set(added));
    this.settle();
  }

  private remove(port: Port): void {
    this.tabs.delete(port);
    if (this.tabs.size > 0) return;
    clearTimeout(this.graceTimer);
    this.graceTimer = setTimeout(() => this.disconnect(), GRACE_MS);
  }

  private removeLost(): void {
    const now = Date.now();
    for (const tab of [...this.tabs.values()]) {
      if (now - tab.seenAt > LOST_MS) this.remove(tab.port);
    }
  }

  private disconnect(): void {
    clearInterval(this.sweepTimer);
    this.sweepTimer = undefined;
    clearTimeout(this.settleTimer);
    this.settleTimer = undefined;
    clearTimeout(this.retryTimer);
    this.retryTimer = undefined;
    this.stream?.close();
    this.next?.close();
    this.stream = null;
    this.next = null;
    this.failures = 0;
    this.state = 'connecting';
  }

  private settle(): void {
    this.settleTimer ??= setTimeout(() => {
      this.settleTimer = undefined;
      this.connect();
    }, SETTLE_MS);
  }

  private retryNow(): void {
    if (this.retryTimer === undefined) return;
    clearTimeout(this.retryTimer);
    this.retryTimer = undefined;
    this.failures = 0;
    this.connect();
  }

  /** Opens a stream, unless there is one for all that is followed. */
  private connect(): void {
    if (this.retryTimer !== undefined || this.tabs.size === 0) return;
    const wanted = new Set([...this.tabs.values()].flatMap((tab) => [...tab.topics]));
    const newest = this.next ?? this.stream;
    if (newest && [...wanted].every((topic) => newest.topics.has(topic))) return;
    this.next?.close();
    const stream: Stream = { topics: wanted, isReady: false, close: () => undefined };
    this.next = stream;
    stream.close = this.open([...wanted], {
      onMessage: (event, data) => this.hint(stream, event, data as readonly string[]),
      onClosed: () => this.broke(stream),
    });
  }

  private hint(stream: Stream, event: string, topics: readonly string[]): void {
    if (event === 'ready') this.take(stream);
    if (event !== 'changed') return;
    const changed = new Set(topics);
    for (const tab of this.tabs.values()) this.tell(tab, changed);
  }

  /** The next stream replaces the previous one, if any. */
  private take(stream: Stream): void {
    const before = this.stream;
    this.stream = stream;
    this.next = null;
    stream.isReady = true;
    before?.close();
    this.failures = 0;
    this.setState('live');
    // Hints of a time without a stream are lost, and so are those of topics that it didn't cover.
    const missed = new Set([...stream.topics].filter((topic) => !before?.topics.has(topic)));
    for (const tab of this.tabs.values()) this.tell(tab, missed);
  }

  private broke(stream: Stream): void {
    if (stream === this.next) this.next = null;
    else if (stream === this.stream) this.stream = null;
    else return;
    if (this.stream === null) this.setState('broken');
    // A next stream that is still opening may be refused for the same reason.
    if (this.next !== null || this.retryTimer !== undefined) return;
    const waitMs = RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)];
    this.failures += 1;
    this.retryTimer = setTimeout(() => {
      this.retryTimer = undefined;
      this.connect();
    }, waitMs);
  }

  private setState(state: StreamState): void {
    // Further failures are reported, too: each makes the tabs check whether the server responds.
    if (state === this.state && state !== 'broken') return;
    this.state = state;
    for (const { port } of this.tabs.values()) port.postMessage({ kind: 'state', state });
  }

  private tell({ port, topics }: Tab, changed: ReadonlySet<string>): void {
    const news = [...topics].filter((topic) => changed.has(topic));
    if (news.length > 0) port.postMessage({ kind: 'changed', topics: news });
  }
}
