import net from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { guardedConnector, type Progress, resolveBySystem } from './connector';
import { RefusedAddressError } from './failure';

let server: net.Server;
let bytesReceived = 0;
beforeEach(async () => {
  bytesReceived = 0;
  server = net.createServer((socket) => {
    socket.on('data', (chunk) => {
      bytesReceived += chunk.length;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

function connect(allowPrivate: boolean, progress: Progress) {
  const connector = guardedConnector({
    rules: { allowPrivate },
    resolve: resolveBySystem,
    signal: AbortSignal.timeout(5_000),
    progress,
    certificateAuthority: undefined,
  });
  const { port } = server.address() as net.AddressInfo;
  return new Promise<net.Socket>((resolve, reject) => {
    // A host written as an address is dialled without a lookup.
    const target = { hostname: '127.0.0.1', protocol: 'http:', port: String(port) };
    connector(target, (error, socket) => (error ? reject(error) : resolve(socket)));
  });
}

it('[SAS-5.1] the far end is checked where no lookup happened, before anything is sent', async () => {
  const progress: Progress = { phase: 'resolving', address: null };
  await expect(connect(false, progress)).rejects.toThrow(RefusedAddressError);
  expect(progress.address).toBeNull();
  expect(bytesReceived).toBe(0);
});

it('a socket that passed says where it is connected to', async () => {
  const progress: Progress = { phase: 'resolving', address: null };
  const socket = await connect(true, progress);
  expect(progress).toEqual({ phase: 'answering', address: '127.0.0.1' });
  socket.destroy();
});
