import net, { type AddressInfo } from 'node:net';

/**
 * What stands where the server was: nothing (the connection is refused), a network that swallows
 * everything, or a proxy whose own server is gone.
 */
export type Failure = 'refuses' | 'hangs' | 'bad_gateway';

export interface CuttableLine {
  /** The same server under another port. */
  url: string;
  /** How many connections carry the stream of live hints now. */
  streamCount(): number;
  /** The most of them at one time. */
  mostStreams(): number;
  /** Breaks every connection that goes through it, as a network does, silently. */
  cut(): void;
  /** Fails every connection, open and new, until the line is repaired. */
  fail(how: Failure): Promise<void>;
  repair(): Promise<void>;
  close(): Promise<void>;
}

const BAD_GATEWAY_PAGE = '<html><h1>502 Bad Gateway</h1></html>';
const BAD_GATEWAY = [
  'HTTP/1.1 502 Bad Gateway',
  'content-type: text/html',
  `content-length: ${BAD_GATEWAY_PAGE.length}`,
  'connection: close',
  '',
  BAD_GATEWAY_PAGE,
].join('\r\n');

/** A line to a server on loopback that a test can cut. */
export async function openCuttableLine(target: string): Promise<CuttableLine> {
  const { hostname, port } = new URL(target);
  const open = new Set<net.Socket>();
  const streams = new Set<net.Socket>();
  let mostStreams = 0;
  let failure: Failure | null = null;

  const noteStream = (socket: net.Socket) => {
    streams.add(socket);
    mostStreams = Math.max(mostStreams, streams.size);
  };
  const keep = (socket: net.Socket, ...others: net.Socket[]) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      open.delete(socket);
      // A dead network reports no closed connection either.
      if (failure !== 'hangs') for (const other of others) other.destroy();
    });
  };
  const server = net.createServer((browser) => {
    if (failure === 'bad_gateway') {
      keep(browser);
      browser.once('data', () => browser.end(BAD_GATEWAY));
    } else if (failure === 'hangs') {
      keep(browser);
      browser.resume();
    } else {
      const upstream = net.connect(Number(port), hostname);
      keep(browser, upstream);
      keep(upstream, browser);
      browser.on('data', (chunk) => {
        if (/^GET \/api\/live[ ?]/.test(chunk.toString('latin1'))) noteStream(browser);
      });
      browser.once('close', () => streams.delete(browser));
      browser.pipe(upstream).pipe(browser);
    }
  });
  const listen = (at: number) =>
    new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  const closed = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      cut();
    });

  await listen(0);
  const ownPort = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${ownPort}`,
    streamCount: () => streams.size,
    mostStreams: () => mostStreams,
    cut,
    async fail(how) {
      failure = how;
      if (how === 'refuses') return closed();
      if (how === 'bad_gateway') return cut();
      for (const socket of open) socket.unpipe().resume();
    },
    async repair() {
      failure = null;
      cut();
      if (!server.listening) await listen(ownPort);
    },
    close: closed,
  };
}
