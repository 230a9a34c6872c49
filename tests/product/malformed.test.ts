/** Requests that no browser and no client of the API would send: a 4xx problem, never a 500. */

import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { problemSchema } from '@/lib/platform/http/problem';
import { useSharedSystem } from '../support/system/use-system';

const system = useSharedSystem();

interface Sent {
  method?: string;
  target: string;
  /** Lines of the head; `Host` is there unless it is among them. */
  headers?: string[];
  body?: string;
}

interface Answer {
  status: number;
  type: string;
  allow: string;
  body: string;
}

/** Sends bytes that fetch() would refuse to, and reads until the connection is closed. */
function send({ method = 'GET', target, headers = [], body = '' }: Sent): Promise<Answer> {
  const { host, hostname, port } = new URL(system.url);
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(headers.some((line) => /^host:/i.test(line)) ? [] : [`Host: ${host}`]),
    'Connection: close',
    ...(body ? [`Content-Length: ${body.length}`] : []),
    ...headers,
  ];
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = net.connect(Number(port), hostname);
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answerOf(text)));
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1');
  });
}

function answerOf(text: string): Answer {
  const end = text.indexOf('\r\n\r\n');
  const head = text.slice(0, end);
  const fieldOf = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
  return {
    status: Number(head.split(' ')[1]),
    type: fieldOf('content-type'),
    allow: fieldOf('allow'),
    // Without the lengths of chunks around it.
    body: text.slice(text.indexOf('{', end), text.lastIndexOf('}') + 1),
  };
}

async function expectProblem(sent: Sent, status: number): Promise<Answer> {
  const answer = await send(sent);
  const what = `${sent.method ?? 'GET'} ${sent.target} ${sent.headers ?? ''}`;
  expect([answer.status, answer.type], what).toEqual([status, 'application/problem+json']);
  if (sent.method !== 'HEAD') {
    const problem = problemSchema.parse(JSON.parse(answer.body));
    expect(problem, what).toMatchObject({
      status,
      requestId: expect.stringMatching(/^req_\w{22}$/),
    });
  }
  return answer;
}

const PATHS = [
  '/%ff',
  '/acme/%',
  '/acme/%c3%28',
  '/acme/projects/%ed%a0%80',
  '/a%00b',
  '/api/v1/%ff',
  '/api/v1/projects/%ff',
  '/api/v1/projects/%00',
  '/api/auth/%ff',
  '/api/live/sessions/%ff',
  '/api/runner/v1/attempts/%ff/claim',
  '/docs/%ff',
  '/icon.svg%ff',
  '/robots.txt%ff',
  '/_next/static/%ff',
  '/_next/image/%ff',
  '*',
  'http://[/x',
];

describe('paths', () => {
  it.each(['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS'])(
    '[SEC-3.3] that can’t be decoded get a 400 problem from %s',
    async (method) => {
      for (const target of PATHS) await expectProblem({ method, target }, 400);
    },
  );

  it('[SEC-3.3] that can be decoded still reach their page or route', async () => {
    expect((await send({ target: '/sign-in?next=%ff' })).status).toBe(200);
    expect((await send({ target: '/healthz' })).status).toBe(200);
    expect((await send({ target: '/docs/%73ecurity' })).status).toBeLessThan(400);
    expect((await send({ target: '/api/v1/projects?limit=%ff' })).status).toBe(401);
  });

  it('[SEC-3.3] that no route has get a 404 problem anywhere below /api', async () => {
    for (const target of ['/api/v1/nowhere', '/api/nowhere', '/api/runner/v1/x/y', '/api/v2/x'])
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
        await expectProblem({ method, target }, 404);
  });
});

describe('methods', () => {
  it('[SEC-3.3] that are not supported get a 405 problem that names the others', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'M-SEARCH', 'PURGE', 'LOCK'])
      for (const target of ['/', '/sign-in', '/api/v1/projects', '/_next/static/x', '/%ff']) {
        const { allow } = await expectProblem({ method, target }, 405);
        expect(allow).toContain('GET, HEAD, POST');
      }
  });

  it('[SEC-3.3] that an address doesn’t have get a 405 problem', async () => {
    await expectProblem({ method: 'DELETE', target: '/api/v1/projects' }, 405);
    await expectProblem({ method: 'HEAD', target: '/api/runner/v1/heartbeat' }, 405);
    await expectProblem({ method: 'PUT', target: '/api/live', body: 'x' }, 405);
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      await expectProblem({ method, target: '/sign-in' }, 405);
  });

  it('[SEC-3.3] that HTTP doesn’t know, and heads that aren’t HTTP, get a 4xx problem', async () => {
    await expectProblem({ method: 'NONSENSE', target: '/' }, 400);
    await expectProblem({ target: '/a b' }, 400);
    await expectProblem({ target: '/', headers: ['Content-Length: x'] }, 400);
    await expectProblem({ target: '/', headers: [`X-Long: ${'x'.repeat(40_000)}`] }, 431);
    for (const host of ['[', 'a b', '%'])
      await expectProblem({ target: '/api/v1/projects', headers: [`Host: ${host}`] }, 400);
  });
});

describe('pages of other sites', () => {
  const ACTION = ['Next-Action: 00000000000000000000000000000000000000abcd'];
  const FORM = ['Content-Type: multipart/form-data; boundary=x'];
  const sendings = [
    { headers: [...ACTION, 'Content-Type: text/plain;charset=UTF-8'], body: '[]' },
    { headers: [...ACTION, ...FORM], body: '--x--\r\n' },
    { headers: FORM, body: '--x--\r\n' },
    { headers: ['Content-Type: application/x-www-form-urlencoded'], body: 'a=b' },
  ];

  it('[SEC-3.3] get a 403 problem for a server action or a form', async () => {
    const origins = [
      'https://evil.example',
      'null',
      '[',
      'http://',
      'file://',
      'http://127.0.0.1:1',
    ];
    for (const origin of origins)
      for (const target of ['/sign-in', '/acme'])
        for (const { headers, body } of sendings) {
          const head = [`Origin: ${origin}`, ...headers];
          await expectProblem({ method: 'POST', target, headers: head, body }, 403);
        }
    const head = ['Sec-Fetch-Site: cross-site', ...ACTION];
    await expectProblem({ method: 'POST', target: '/sign-in', headers: head, body: '[]' }, 403);
  });

  it('[SEC-3.3] is not what a page of our own looks like, behind a proxy that replaces Host either', async () => {
    for (const host of [new URL(system.url).host, 'inside:3000'])
      for (const { headers, body } of sendings) {
        const head = [`Host: ${host}`, `Origin: ${system.url}`, ...headers];
        const { status } = await send({ method: 'POST', target: '/sign-in', headers: head, body });
        // An action that doesn't exist: Next knows the page as its own, and says so.
        expect([200, 400, 404, 409], `${host} ${headers}`).toContain(status);
      }
  });

  it('[SEC-3.3] can’t use a sign-in on the API either', async () => {
    const headers = ['Origin: https://evil.example', 'Cookie: authjs.session-token=x'];
    await expectProblem({ method: 'POST', target: '/api/v1/projects', headers, body: '{}' }, 401);
  });
});

it('[FLT-2.5] an idle connection is kept longer than proxies reuse one', async () => {
  const answer = await fetch(`${system.url}/sign-in`);
  await answer.text();
  expect(answer.headers.get('keep-alive')).toBe('timeout=75');
});
