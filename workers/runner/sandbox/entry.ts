/**
 * Runs first in a sandbox, where only this process can open a port on the sandbox's own loopback.
 * It hands the open ports to the runner outside, which answers on them, and ends. So nothing has to
 * run beside the agent, and the agent never finds a port that isn't open yet.
 */
import { createServer, type Server } from 'node:net';
import { giveWay } from '../process/give-way';
import { COMMANDS_PORT, MODEL_PORT } from './inside';

/** An address, since the sandbox's loopback has no IPv6. */
const LOOPBACK = '127.0.0.1';

for (const port of [MODEL_PORT, COMMANDS_PORT]) {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, resolve);
  });
  await handOver(port, server);
}
// Its parent becomes the agent.
giveWay(process.ppid);
process.exit(0);

function handOver(port: number, server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!process.send) throw new Error('There is no runner to hand the port to.');
    process.send(port, server, undefined, (error) => (error ? reject(error) : resolve()));
  });
}
