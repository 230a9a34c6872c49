import net, { type AddressInfo } from 'node:net';

export interface CuttableLine {
  /** The same server under another port. */
  url: string;
  /** Breaks every connection that goes through it, as a network does: without a word. */
  cut(): void;
  close(): Promise<void>;
}

/** A line to a server on loopback that a test can cut. */
export async function openCuttableLine(target: string): Promise<CuttableLine> {
  const { hostname, port } = new URL(target);
  const open = new Set<net.Socket>();
  const server = net.createServer((browser) => {
    const upstream = net.connect(Number(port), hostname);
    for (const socket of [browser, upstream]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        browser.destroy();
        upstream.destroy();
      });
    }
    browser.pipe(upstream).pipe(browser);
  });
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
