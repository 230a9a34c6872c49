import type { Socket } from 'node:net';
import { findAddresses, openConnection } from '../addresses';
import { degraded, down, healthy, type Probe, type ProbeResult, unknown } from '../outcome';
import type { database } from './kind';

export const probeDatabase: Probe<typeof database.fields> = async (check, context) => {
  const url = URL.canParse(check.target) ? new URL(check.target) : null;
  const hello = url && findHello(url);
  if (!url || !hello) return unknown('The target is not a postgres://, mysql:// or redis:// URL.');
  const host = url.hostname.replace(/^\[|\]$/g, '') || 'localhost';
  const port = Number(url.port) || hello.defaultPort;
  const addresses = await findAddresses(host, 'auto', context);
  const socket = await openConnection({ host, port, addresses }, context.signal);
  const facts = { address: socket.remoteAddress };
  try {
    const greeting = hello.greeting(url);
    if (greeting) socket.write(greeting);
    return { ...(await readVerdict(socket, hello)), facts };
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
    socket.once('close', () =>
      resolve(down('The server closed the connection without a response.')),
    );
  });
}

/** How a database is greeted, and what its first bytes mean. No password is ever sent. */
interface DatabaseHello {
  defaultPort: number;
  /** Sent after connecting; null when the server speaks first. */
  greeting(url: URL): Buffer | null;
  /** Returns the verdict on the bytes received so far; null while more are needed. */
  judge(received: Buffer): ProbeResult | null;
}

const postgres: DatabaseHello = {
  defaultPort: 5432,
  greeting(url) {
    const user = decodeURIComponent(url.username) || 'tierwatch';
    const database = decodeURIComponent(url.pathname.slice(1)) || user;
    const settings = Buffer.from(`user\0${user}\0database\0${database}\0\0`);
    const head = Buffer.alloc(8);
    head.writeInt32BE(8 + settings.length, 0);
    head.writeInt32BE(196_608, 4); // protocol 3.0
    return Buffer.concat([head, settings]);
  },
  judge(received) {
    const kind = String.fromCharCode(received[0] ?? 0);
    if (kind === 'R') return healthy; // It asks for a password, so it takes connections.
    if (kind !== 'E') return down('The response is not from PostgreSQL.');
    if (received.length < 5 || received.length < 1 + received.readInt32BE(1)) return null;
    const fields = received.subarray(5).toString('utf8').split('\0');
    const field = (letter: string) => fields.find((text) => text.startsWith(letter))?.slice(1);
    // Class 28: it refuses us, not everybody.
    if (field('C')?.startsWith('28')) return healthy;
    return degraded(`PostgreSQL responded: ${field('M') ?? 'an error without a message'}.`);
  },
};

const mysql: DatabaseHello = {
  defaultPort: 3306,
  greeting: () => null,
  judge(received) {
    if (received.length < 5) return null;
    if (received[4] === 10) return healthy;
    if (received[4] !== 0xff) return down('The response is not from MySQL.');
    return degraded(`MySQL responded: ${received.subarray(7).toString('utf8')}.`);
  },
};

const redis: DatabaseHello = {
  defaultPort: 6379,
  greeting: () => Buffer.from('PING\r\n'),
  judge(received) {
    const line = received.toString('utf8').split('\r\n')[0] ?? '';
    if (!received.includes('\r\n')) return null;
    if (line === '+PONG' || line.startsWith('-NOAUTH')) return healthy;
    if (line.startsWith('-')) return degraded(`Redis responded: ${line.slice(1)}.`);
    return down('The response is not from Redis.');
  },
};

const helloByScheme: Record<string, DatabaseHello> = {
  'postgres:': postgres,
  'postgresql:': postgres,
  'mysql:': mysql,
  'mariadb:': mysql,
  'redis:': redis,
};

function findHello(url: URL): DatabaseHello | null {
  return helloByScheme[url.protocol] ?? null;
}
