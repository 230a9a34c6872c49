import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StreamListener } from './hint-stream';
import { ALIVE_MS, type ConnectionMessage, type TabMessage } from './messages';
import { type Port, SharedConnection } from './shared-connection';

class FakeStream {
  isOpen = true;

  constructor(
    readonly topics: readonly string[],
    private readonly listener: StreamListener,
  ) {}

  ready() {
    this.listener.onMessage('ready', this.topics);
  }

  changed(...topics: string[]) {
    this.listener.onMessage('changed', topics);
  }

  fail() {
    this.isOpen = false;
    this.listener.onClosed();
  }
}

class FakeTab implements Port {
  onmessage: Port['onmessage'] = null;
  readonly received: ConnectionMessage[] = [];

  postMessage(message: ConnectionMessage) {
    this.received.push(message);
  }

  send(message: TabMessage) {
    this.onmessage?.({ data: message } as MessageEvent<TabMessage>);
  }

  follow(...topics: string[]) {
    this.send({ kind: 'follow', topics });
  }

  /** The topics reported as changed since the last call. */
  changed(): string[] {
    const topics = this.received.flatMap((message) =>
      message.kind === 'changed' ? message.topics : [],
    );
    this.received.length = 0;
    return topics;
  }

  get states() {
    return this.received.flatMap((message) => (message.kind === 'state' ? message.state : []));
  }
}

let streams: FakeStream[];
let connection: SharedConnection;

beforeEach(() => {
  vi.useFakeTimers();
  streams = [];
  connection = new SharedConnection((topics, listener) => {
    const stream = new FakeStream(topics, listener);
    streams.push(stream);
    return () => {
      stream.isOpen = false;
    };
  });
});
afterEach(() => {
  vi.useRealTimers();
});

function openTab(...topics: string[]): FakeTab {
  const tab = new FakeTab();
  connection.accept(tab);
  tab.follow(...topics);
  return tab;
}

const settle = () => vi.advanceTimersByTime(50);
const openStreams = () => streams.filter((stream) => stream.isOpen);
const newest = () => streams.at(-1) as FakeStream;

/** Ends what has been going on, with all tabs served by one stream. */
function connected() {
  settle();
  newest().ready();
  return newest();
}

describe('one connection for all tabs', () => {
  it('[FLT-2.6] opens one stream for twenty tabs and tells each of its own topics', () => {
    const tabs = Array.from({ length: 20 }, (_, index) => openTab(`prj_${index}`));
    connected();
    expect(openStreams()).toHaveLength(1);
    for (const [index, tab] of tabs.entries()) expect(tab.changed()).toEqual([`prj_${index}`]);
    newest().changed('prj_7', 'org_1');
    expect(tabs.map((tab) => tab.changed().length)).toEqual(
      tabs.map((_, index) => (index === 7 ? 1 : 0)),
    );
  });

  it('[FLT-2.6] closes the stream when every tab is hidden, and opens it for the next', () => {
    const tabs = [openTab('org_1'), openTab('org_1')];
    connected();
    tabs[0]?.send({ kind: 'leave' });
    vi.advanceTimersByTime(10_000);
    expect(openStreams()).toHaveLength(1);
    tabs[1]?.send({ kind: 'leave' });
    vi.advanceTimersByTime(2_000);
    expect(openStreams()).toHaveLength(0);
    tabs[0]?.changed();
    tabs[0]?.follow('org_1');
    connected();
    expect(openStreams()).toHaveLength(1);
    expect(tabs[0]?.changed()).toEqual(['org_1']);
  });

  it('keeps the stream while one tab gives way to another', () => {
    const tab = openTab('org_1');
    const stream = connected();
    tab.send({ kind: 'leave' });
    vi.advanceTimersByTime(1_000);
    const other = openTab('org_1');
    vi.advanceTimersByTime(10_000);
    expect(streams).toEqual([stream]);
    // It may have been rendered long before it followed.
    expect(other.changed()).toEqual(['org_1']);
  });

  it('forgets a tab that crashed', () => {
    openTab('org_1');
    connected();
    vi.advanceTimersByTime(5 * ALIVE_MS);
    expect(openStreams()).toHaveLength(0);
  });

  it('keeps a tab that says that it is there, and tells it nothing new', () => {
    const tab = openTab('org_1');
    connected();
    tab.changed();
    for (let round = 0; round < 10; round += 1) {
      vi.advanceTimersByTime(ALIVE_MS);
      tab.follow('org_1');
    }
    expect(openStreams()).toHaveLength(1);
    expect(tab.changed()).toEqual([]);
  });
});

describe('a topic that the stream does not cover', () => {
  it('gets a new stream, and the old one stays until that is ready', () => {
    const tab = openTab('org_1');
    const log = openTab('org_1');
    const first = connected();
    tab.changed();
    log.changed();
    log.follow('org_1', 'ses_1');
    settle();
    const second = newest();
    expect(second.topics).toContain('ses_1');
    expect(first.isOpen).toBe(true);
    first.changed('org_1');
    expect(tab.changed()).toEqual(['org_1']);
    log.changed();
    second.ready();
    expect(openStreams()).toEqual([second]);
    // The others missed nothing, so they are told nothing.
    expect(log.changed()).toEqual(['ses_1']);
    expect(tab.changed()).toEqual([]);
  });

  it('keeps the old stream when the new one fails, and tries again', () => {
    const tab = openTab('org_1');
    const first = connected();
    tab.follow('org_1', 'ses_1');
    settle();
    newest().fail();
    expect(openStreams()).toEqual([first]);
    expect(tab.states).not.toContain('broken');
    vi.advanceTimersByTime(1_000);
    newest().ready();
    expect(openStreams()).toEqual([newest()]);
    expect(newest().topics).toContain('ses_1');
  });

  it('opens no stream for a topic without followers', () => {
    const tab = openTab('org_1', 'ses_1');
    const stream = connected();
    tab.follow('org_1');
    settle();
    expect(streams).toEqual([stream]);
  });
});

describe('a connection that breaks', () => {
  it('is opened again after longer and longer waits', () => {
    const tab = openTab('org_1');
    connected().fail();
    tab.changed();
    for (const waitMs of [1_000, 2_000, 5_000, 10_000, 10_000]) {
      const before = streams.length;
      tab.follow('org_1');
      vi.advanceTimersByTime(waitMs - 1);
      expect(streams).toHaveLength(before);
      vi.advanceTimersByTime(1);
      expect(streams).toHaveLength(before + 1);
      newest().fail();
    }
  });

  it('tells each failure, and that it is back', () => {
    const tab = openTab('org_1');
    connected().fail();
    expect(tab.states).toEqual(['connecting', 'live', 'broken']);
    vi.advanceTimersByTime(1_000);
    newest().fail();
    vi.advanceTimersByTime(2_000);
    tab.changed();
    newest().ready();
    expect(tab.states).toEqual(['live']);
    expect(tab.changed()).toEqual(['org_1']);
  });

  it('is opened at once when a tab knows that the server is back', () => {
    const tab = openTab('org_1');
    connected().fail();
    vi.advanceTimersByTime(1_000);
    newest().fail();
    tab.send({ kind: 'retry' });
    expect(openStreams()).toHaveLength(1);
    tab.send({ kind: 'retry' });
    expect(openStreams()).toHaveLength(1);
  });

  it('is not opened while every tab is hidden', () => {
    const tab = openTab('org_1');
    connected().fail();
    tab.send({ kind: 'leave' });
    vi.advanceTimersByTime(60_000);
    expect(streams).toHaveLength(1);
  });
});
