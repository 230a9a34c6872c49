/** Servers on loopback that checks look at, closed together. */
import { once } from 'node:events';
import {
  createServer as createWebServer,
  type IncomingMessage,
  type RequestListener,
} from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

export interface Servers {
  /** Returns `http://127.0.0.1:port`. */
  web(listener: RequestListener): Promise<string>;
  /** Returns the port. */
  tcp(onConnection: (socket: Socket) => void, host?: string): Promise<number>;
  /** Returns the port that a server listens on from now. */
  listen(server: Server, host?: string): Promise<number>;
  /** Returns a port that nothing listens on. */
  freePort(): Promise<number>;
  /** Closes what was opened, and everything that was passed here. */
  onClose(close: () => unknown): void;
  close(): Promise<void>;
}

export function createServers(): Servers {
  const closers: (() => unknown)[] = [];

  async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
    server.listen(0, host);
    await once(server, 'listening');
    closers.push(() => server.close());
    return (server.address() as AddressInfo).port;
  }

  return {
    listen,
    onClose: (close) => void closers.push(close),
    async web(listener) {
      const server = createWebServer(listener);
      closers.push(() => server.closeAllConnections());
      return `http://127.0.0.1:${await listen(server)}`;
    },
    tcp(onConnection, host) {
      const sockets: Socket[] = [];
      closers.push(() => {
        for (const socket of sockets) socket.destroy();
      });
      const server = createServer((socket) => {
        sockets.push(socket);
        socket.on('error', () => {});
        onConnection(socket);
      });
      return listen(server, host);
    },
    async freePort() {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      server.close();
      await once(server, 'close');
      return port;
    },
    async close() {
      for (const close of closers.splice(0)) await close();
    },
  };
}

/** The headers that a request has, without those of Node itself. */
export function headersOf({ headers }: IncomingMessage): Record<string, unknown> {
  const { host: _host, connection: _connection, ...rest } = headers;
  return rest;
}
