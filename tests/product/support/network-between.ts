/** What stands between runners and the web process, and can change what passes. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface NetworkBetween {
  url: string;
  /** Where it leads to. */
  target: string;
  /** Changes the body of an answer to a path that starts with this. */
  change(prefix: string, change: (body: Buffer) => Buffer): void;
  /** Passes everything on unchanged. */
  restore(): void;
  close(): Promise<void>;
}

export async function openNetworkBetween(): Promise<NetworkBetween> {
  const changes = new Map<string, (body: Buffer) => Buffer>();
  const server = createServer((given, answer) => {
    const { pathname } = new URL(given.url ?? '/', network.target);
    const found = [...changes].find(([prefix]) => pathname.startsWith(prefix))?.[1];
    const headers = found ? { ...given.headers, 'accept-encoding': 'identity' } : given.headers;
    const { hostname, port } = new URL(network.target);
    const passed = request(
      { hostname, port, path: given.url, method: given.method, headers },
      (received) => {
        const { statusCode = 502, headers: said } = received;
        if (!found) {
          answer.writeHead(statusCode, said);
          received.pipe(answer);
          return;
        }
        const parts: Buffer[] = [];
        received.on('data', (part) => parts.push(part));
        received.on('end', () => {
          const body = found(Buffer.concat(parts));
          const { 'transfer-encoding': _, ...rest } = said;
          answer.writeHead(statusCode, { ...rest, 'content-length': body.length });
          answer.end(body);
        });
      },
    );
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    given.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const network: NetworkBetween = {
    url: `http://127.0.0.1:${port}`,
    target: '',
    change: (prefix, change) => void changes.set(prefix, change),
    restore: () => changes.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return network;
}
