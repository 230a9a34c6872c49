import { randomInt } from 'node:crypto';
import net from 'node:net';
import { StartProblem } from './problem.mjs';

function tryListen(port, host) {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const taken = server.address().port;
      server.close(() => resolve(taken));
    });
  });
}

const TRIES = 20;

/**
 * A port nobody listens on at this moment. It lies below those that systems give to outgoing
 * connections, one of which could take it before its user does.
 */
export async function findFreePort(host = '127.0.0.1') {
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      return await tryListen(randomInt(15_000, 32_000), host);
    } catch (error) {
      if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
    }
  }
  return tryListen(0, host);
}

/** Throws with what to do when the web address cannot be listened on. */
export async function requireFreePort(port, host) {
  try {
    await tryListen(port, host);
  } catch (error) {
    if (error.code === 'EADDRINUSE') {
      throw new StartProblem(
        `Port ${port} on ${host} is taken: another program listens there, perhaps an earlier Tierwatch. Stop it, or choose another port: PORT=${port + 1} npm start`,
      );
    }
    if (error.code === 'EACCES') {
      throw new StartProblem(
        `This account is not allowed to use port ${port} on ${host}. Choose one above 1023: PORT=3000 npm start`,
      );
    }
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
      throw new StartProblem(
        `HOST=${host} is not an address of this machine. Use 127.0.0.1 (this machine only) or 0.0.0.0 (every network).`,
      );
    }
    throw error;
  }
}
