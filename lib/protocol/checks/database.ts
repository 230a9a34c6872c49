import type { Socket } from 'node:net';
import { openConnection } from './connection';
import { type DatabaseHello, findHello } from './database-hello';
import { down, type Probe, type ProbeResult } from './outcome';

export const probeDatabase: Probe = async (check, signal) => {
  const url = URL.canParse(check.target) ? new URL(check.target) : null;
  const hello = url && findHello(url);
  if (!url || !hello) return down('The target is not a postgres://, mysql:// or redis:// URL.');
  const host = url.hostname.replace(/^\[|\]$/g, '') || 'localhost';
  const socket = await openConnection(host, Number(url.port) || hello.defaultPort, signal);
  try {
    const greeting = hello.greeting(url);
    if (greeting) socket.write(greeting);
    return await readVerdict(socket, hello);
  } finally {
    socket.destroy();
  }
};

function readVerdict(socket: Socket, hello: DatabaseHello): Promise<ProbeResult> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const verdict = hello.judge(received);
      if (verdict) resolve(verdict);
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(down('It closed the connection without an answer.')));
  });
}
