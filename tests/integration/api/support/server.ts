import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { type ApiFolder, dispatcher, findRoutes } from './api';

export interface ApiServer {
  url: string;
  /** Cuts every open connection, as a restart of the web process does. */
  cutConnections(): void;
  close(): Promise<void>;
}

/** The REST API, that of the runners or the MCP server, on a port of loopback, without Next around it. */
export async function startApiServer(below: ApiFolder = 'v1'): Promise<ApiServer> {
  const dispatch = dispatcher(await findRoutes(below));
  const server = createServer((incoming, outgoing) => {
    const abort = new AbortController();
    outgoing.once('close', () => abort.abort());
    const hasBody = !['GET', 'HEAD', 'DELETE'].includes(incoming.method ?? 'GET');
    const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
      signal: abort.signal,
      ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' } : {}),
    });
    dispatch(request)
      .then(async (response) => {
        outgoing.writeHead(response.status, Object.fromEntries(response.headers));
        for await (const chunk of response.body ?? []) outgoing.write(chunk);
        outgoing.end();
      })
      .catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    cutConnections: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
