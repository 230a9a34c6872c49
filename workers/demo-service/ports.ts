import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * `preferred` if it is free, else any free loopback port. The demo project's checks name the
 * ports, so a restart keeps them where it can.
 */
export async function choosePort(preferred: number | undefined): Promise<number> {
  if (preferred !== undefined && (await tryPort(preferred)) !== null) return preferred;
  const port = await tryPort(0);
  if (port === null) throw new Error('There is no free loopback port for the demo service.');
  return port;
}

async function tryPort(port: number): Promise<number | null> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  } catch {
    return null;
  } finally {
    server.close();
  }
}
