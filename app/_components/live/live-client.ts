import { serverReach } from '../reach/server-reach';
import { openHintStream } from './hint-stream';
import { ALIVE_MS, type ConnectionMessage, type StreamState, type TabMessage } from './messages';
import { type Port, SharedConnection } from './shared-connection';

/** A connection that doesn't answer within this time has crashed, or never loaded. */
const ANSWER_MS = 10_000;

export interface LiveFollower {
  topics: readonly string[];
  /** One of the topics changed, or may have. */
  onChanged: (topics: readonly string[]) => void;
  /** The connection broke: hints are lost until `onChanged` is called. */
  onBroken?: () => void;
}

type TabPort = Omit<MessagePort, 'postMessage'> & { postMessage: (message: TabMessage) => void };

/** This tab's end of the browser's live connection, which it uses only while it is visible. */
class LiveClient {
  private readonly followers = new Set<LiveFollower>();
  private readonly listeners = new Set<() => void>();
  private port: TabPort | null = null;
  private state: StreamState = 'connecting';
  private isFollowing = false;
  private aliveTimer: ReturnType<typeof setInterval> | undefined;
  private answerTimer: ReturnType<typeof setTimeout> | undefined;
  private sendTimer: ReturnType<typeof setTimeout> | undefined;

  readonly getState = (): StreamState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** @returns a function that ends it */
  follow(follower: LiveFollower): () => void {
    if (this.followers.size === 0) this.begin();
    this.followers.add(follower);
    this.sendSoon();
    return () => {
      this.followers.delete(follower);
      if (this.followers.size === 0) this.end();
      else this.sendSoon();
    };
  }

  private begin(): void {
    document.addEventListener('visibilitychange', this.update);
    window.addEventListener('pagehide', this.leave);
    window.addEventListener('pageshow', this.update);
    serverReach.subscribe(this.retryIfUp);
    this.aliveTimer = setInterval(this.update, ALIVE_MS);
  }

  private end(): void {
    document.removeEventListener('visibilitychange', this.update);
    window.removeEventListener('pagehide', this.leave);
    window.removeEventListener('pageshow', this.update);
    clearInterval(this.aliveTimer);
    this.leave();
  }

  private readonly retryIfUp = () => {
    if (serverReach.isUp && this.isFollowing) this.port?.postMessage({ kind: 'retry' });
  };

  private readonly leave = (): void => {
    clearTimeout(this.answerTimer);
    clearTimeout(this.sendTimer);
    this.sendTimer = undefined;
    if (!this.isFollowing) return;
    this.isFollowing = false;
    this.port?.postMessage({ kind: 'leave' });
  };

  /** A page that navigates ends one follower and begins the next. */
  private sendSoon(): void {
    this.sendTimer ??= setTimeout(this.update, 0);
  }

  private readonly update = (): void => {
    clearTimeout(this.sendTimer);
    this.sendTimer = undefined;
    if (document.hidden || this.followers.size === 0) {
      this.leave();
      return;
    }
    this.port ??= this.connect();
    this.isFollowing = true;
    const topics = [...new Set([...this.followers].flatMap((follower) => [...follower.topics]))];
    this.port.postMessage({ kind: 'follow', topics });
    clearTimeout(this.answerTimer);
    this.answerTimer = setTimeout(() => this.useOwnConnection(), ANSWER_MS);
  };

  private connect(): TabPort {
    if (typeof SharedWorker === 'undefined') return this.ownConnection();
    const worker = new SharedWorker(new URL('./live-worker.ts', import.meta.url), {
      name: 'tierwatch-live',
    });
    // Its script can't be loaded, as after a deploy.
    worker.onerror = () => this.useOwnConnection();
    return this.listen(worker.port);
  }

  /** For a browser without SharedWorker: the same connection, for this tab alone. */
  private ownConnection(): TabPort {
    const { port1, port2 } = new MessageChannel();
    new SharedConnection(openHintStream).accept(port2 as Port);
    return this.listen(port1);
  }

  private useOwnConnection(): void {
    this.port?.postMessage({ kind: 'leave' });
    if (this.port) this.port.onmessage = null;
    this.port = this.ownConnection();
    this.update();
  }

  private listen(port: MessagePort): TabPort {
    port.onmessage = ({ data }: MessageEvent<ConnectionMessage>) => this.receive(data);
    return port;
  }

  private receive(message: ConnectionMessage): void {
    clearTimeout(this.answerTimer);
    if (!this.isFollowing) return;
    if (message.kind === 'changed') {
      serverReach.noteAnswer();
      for (const follower of [...this.followers]) {
        const news = message.topics.filter((topic) => follower.topics.includes(topic));
        if (news.length > 0) follower.onChanged(news);
      }
      return;
    }
    const { state } = message;
    if (state === 'broken') {
      void serverReach.check();
      for (const follower of [...this.followers]) follower.onBroken?.();
    }
    if (state === this.state) return;
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

export const liveClient = new LiveClient();
