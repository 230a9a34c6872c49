import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { checkSchema } from '../spec';
import { factWords } from './describe-check';
import type { CheckFacts, CheckType } from './kinds';
import { restartSince, runCheck, runServiceChecks } from './run-check';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function web(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  closers.push(() => server.closeAllConnections());
  return `http://127.0.0.1:${await listen(server)}`;
}

function tcpServer(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets: Socket[] = [];
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
  });
  return listen(
    createTcpServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => {});
      onConnection(socket);
    }),
  );
}

async function freePort(): Promise<number> {
  const server = createTcpServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function check(type: CheckType, target: string, more: object = {}) {
  return runCheck(checkSchema.parse({ type, target, ...more }), 'web');
}

describe('http', () => {
  it('is healthy for an accepted status, and says how long it took', async () => {
    const url = await web((_, response) => response.end('ok'));
    const outcome = await check('http', url);
    expect(outcome).toMatchObject({ service: 'web', type: 'http', status: 'healthy', error: '' });
    expect(outcome.responseTimeMs).toBeTypeOf('number');
  });

  it('is down for another status and degraded without the expected text', async () => {
    const url = await web((_, response) => response.writeHead(503).end('nope'));
    expect(await check('http', url)).toMatchObject({
      status: 'down',
      error: 'Answered 503, expected 200 to 399.',
    });
    expect(await check('http', url, { expectStatus: 503 })).toMatchObject({ status: 'healthy' });
    expect(await check('http', url, { expectStatus: 503, expectText: 'fine' })).toMatchObject({
      status: 'degraded',
    });
  });

  it('follows three redirects and no fourth', async () => {
    const url = await web((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('arrived');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    expect(await check('http', `${url}/3`, { expectText: 'arrived' })).toMatchObject({
      status: 'healthy',
    });
    expect(await check('http', `${url}/4`)).toMatchObject({ status: 'down' });
    expect(await check('http', `${url}/4`, { expectStatus: 302 })).toMatchObject({
      status: 'healthy',
    });
  });

  it('names a refused connection, and gives up at the time-out', async () => {
    expect(await check('http', `http://127.0.0.1:${await freePort()}`)).toMatchObject({
      status: 'down',
      error: 'Connection refused.',
      responseTimeMs: null,
    });
    const silent = await web(() => {});
    expect(await check('http', silent, { timeoutSeconds: 1 })).toMatchObject({
      status: 'down',
      error: 'No response within 1 s.',
    });
  });
});

describe('tcp and dns', () => {
  it('connects to a port', async () => {
    const port = await tcpServer((socket) => socket.end());
    expect(await check('tcp', `127.0.0.1:${port}`)).toMatchObject({ status: 'healthy' });
    expect(await check('tcp', `127.0.0.1:${await freePort()}`)).toMatchObject({ status: 'down' });
    expect(await check('tcp', 'no-port')).toMatchObject({
      status: 'unknown',
      error: 'The target is not host:port.',
    });
  });

  it('resolves a name, and says when it has no address', async () => {
    expect(await check('dns', 'localhost')).toMatchObject({ status: 'healthy' });
    expect(await check('dns', 'nothing.invalid')).toMatchObject({ status: 'down' });
  });
});

describe('database', () => {
  const error = (code: string, message: string) => {
    const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
    const head = Buffer.from([0x45, 0, 0, 0, 0]);
    head.writeInt32BE(4 + fields.length, 1);
    return Buffer.concat([head, fields]);
  };
  const postgresAnswering = async (answer: Buffer) => {
    const port = await tcpServer((socket) =>
      socket.once('data', (hello) => {
        expect(hello.readInt32BE(4)).toBe(196_608);
        // Two pieces: the verdict waits for the whole message.
        socket.write(answer.subarray(0, 3));
        setImmediate(() => socket.write(answer.subarray(3)));
      }),
    );
    return check('database', `postgres://app:hunter22@127.0.0.1:${port}/shop`);
  };

  it('greets PostgreSQL by its protocol and hides the password of the URL', async () => {
    const outcome = await postgresAnswering(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 5]));
    expect(outcome.status).toBe('healthy');
    expect(outcome.target).toContain('postgres://app:[redacted]@127.0.0.1');
    expect(JSON.stringify(outcome)).not.toContain('hunter22');
  });

  it.each([
    ['57P03', 'the database system is starting up', 'degraded'],
    ['28000', 'no pg_hba.conf entry', 'healthy'],
  ])('judges PostgreSQL error %s', async (code, message, status) => {
    expect(await postgresAnswering(error(code, message))).toMatchObject({ status });
  });

  it('greets Redis and MySQL', async () => {
    const redis = await tcpServer((socket) => socket.once('data', () => socket.write('+PONG\r\n')));
    expect(await check('database', `redis://127.0.0.1:${redis}`)).toMatchObject({
      status: 'healthy',
    });
    const mysql = await tcpServer((socket) => socket.write(Buffer.from([74, 0, 0, 0, 10, 56])));
    expect(await check('database', `mysql://127.0.0.1:${mysql}/shop`)).toMatchObject({
      status: 'healthy',
    });
  });

  it('is down when something else listens, or the connection closes', async () => {
    const port = await tcpServer((socket) => socket.end());
    expect(await check('database', `mysql://127.0.0.1:${port}`)).toMatchObject({ status: 'down' });
    // Nothing was looked at, so nothing is proven.
    expect(await check('database', 'oracle://x')).toMatchObject({ status: 'unknown' });
  });
});

it('runs all checks of a service in their order', async () => {
  const port = await tcpServer((socket) => socket.end());
  const outcomes = await runServiceChecks({
    name: 'db',
    checks: [
      checkSchema.parse({ type: 'tcp', target: `127.0.0.1:${port}` }),
      checkSchema.parse({ type: 'dns', target: 'localhost' }),
    ],
  });
  const names = outcomes.map(({ service, type }) => `${service} ${type}`);
  expect(names).toEqual(['db tcp', 'db dns']);
});

describe('[INC-1.1] a restart between two executions', () => {
  it.each([
    [null, { restarts: 4, instance: 'a' }, null],
    [{}, { restarts: 4, instance: 'a' }, null],
    [{ restarts: 4, instance: 'a' }, { restarts: 4, instance: 'a' }, null],
    [{ restarts: 4 }, { restarts: 5 }, 'Restarted automatically since the last check (once).'],
    [{ restarts: 4 }, { restarts: 9 }, 'Restarted automatically since the last check (5 times).'],
    // A new container of the same name counts from 0.
    [
      { restarts: 4, instance: 'a' },
      { restarts: 0, instance: 'b' },
      'Restarted since the last check.',
    ],
    [
      { instance: '12 100' },
      { instance: '12 900', startedAt: '2026-11-26T10:00:00.000Z' },
      'Restarted since the last check, at 2026-11-26T10:00:00.000Z.',
    ],
    [{ instance: 'a' }, {}, null],
  ])('from %j to %j: %s', (before, now, expected) => {
    expect(restartSince(before, now)).toBe(expected);
  });
});

it.each([
  ['container', {}, ''],
  ['container', { state: 'running (healthy)', restarts: 2 }, 'running (healthy), 2 restarts'],
  [
    'http',
    {
      address: '10.0.0.7',
      statusCode: 200,
      hops: ['301 http://shop.test/', '200 https://shop.test/'],
      phases: { dnsMs: 2, connectMs: 1, tlsMs: null, firstByteMs: 9 },
    },
    'from 10.0.0.7, after 301 http://shop.test/, dns 2 ms, connect 1 ms, first byte 9 ms',
  ],
  ['prometheus', { value: 0, sampleSeconds: 12 }, 'value 0, 12 s old'],
  ['tls', { daysLeft: 61, address: '::1' }, '61 days left, from ::1'],
] as const)('[INC-1.1] words of %s %j as %j', (type, facts, words) => {
  expect(factWords(type, structuredClone(facts) as CheckFacts)).toBe(words);
});
