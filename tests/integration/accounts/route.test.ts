import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type RouteHandler, route } from '@/lib/api/route';
import { createApiTokenSchema } from '@/lib/identity/api-tokens/schema';
import { createApiToken } from '@/lib/identity/api-tokens/service';
import { ConflictError } from '@/lib/platform/errors';
import { API_PER_TOKEN } from '@/lib/platform/rate-limits';
import { useTestDatabase } from '@/tests/support/database';
import { selectAll, signedUp } from './people';

const database = useTestDatabase();
const noteSchema = z.object({ text: z.string().min(1, 'Enter a text.') });

const readNote = route({
  method: 'GET',
  path: '/api/v1/notes/{noteId}',
  summary: 'Read a note',
  auth: 'apiKey',
  scopes: ['projects:read'],
  params: z.object({ noteId: z.string().regex(/^\d+$/) }),
  query: z.object({ tag: z.array(z.string()).default([]) }),
  response: z.object({ id: z.string(), tags: z.array(z.string()), organizationId: z.string() }),
  handle: async ({ scope, params, query }) => {
    const row = { id: params.noteId, tags: query.tag, organizationId: scope.organizationId };
    return { ...row, passwordHash: 'never to be seen' };
  },
});

let runs = 0;
let nextFailure: Error | null = null;
let beforeAnswer: (() => Promise<void>) | null = null;
const writeNote = route({
  method: 'POST',
  path: '/api/v1/notes',
  summary: 'Write a note',
  auth: 'apiKey',
  scopes: ['projects:write'],
  body: noteSchema,
  maxBodyBytes: 1_000,
  response: z.object({ run: z.number(), secret: z.string() }),
  handle: async ({ body }) => {
    runs += 1;
    const run = runs;
    await beforeAnswer?.();
    if (nextFailure) throw nextFailure;
    return { run, secret: `whsec_${body.text}` };
  },
});

async function newToken(scopes: string[] = ['all']) {
  const owner = await signedUp();
  const { token } = await createApiToken(
    owner.scope,
    createApiTokenSchema.parse({ name: 'Test', scopes }),
  );
  return { ...owner, token };
}

async function send(
  handler: RouteHandler,
  path: string,
  options: {
    token?: string;
    body?: string;
    headers?: Record<string, string>;
    params?: object;
  } = {},
) {
  const headers = new Headers(options.headers);
  if (options.token) headers.set('authorization', `Bearer ${options.token}`);
  if (options.body !== undefined && !headers.has('content-type')) {
    headers.set('content-type', 'application/json');
  }
  const request = new Request(`http://127.0.0.1${path}`, {
    method: handler.description.method,
    headers,
    ...(options.body === undefined ? {} : { body: options.body }),
  });
  const response = await handler(request, { params: Promise.resolve({ ...options.params }) });
  return { response, json: await response.json() };
}

const readOne = (token: string | undefined, noteId = '7', query = '') =>
  send(readNote, `/api/v1/notes/${noteId}${query}`, {
    ...(token ? { token } : {}),
    params: { noteId },
  });
const write = (token: string, body: unknown, key?: string) =>
  send(writeNote, '/api/v1/notes', {
    token,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: key ? { 'idempotency-key': key } : {},
  });

describe('[SAS-6.2] a route for tokens', () => {
  it('answers what its schema names and nothing else', async () => {
    const { token, organizationId } = await newToken();
    const { response, json } = await readOne(token, '7', '?tag=a&tag=b');
    expect(response.status).toBe(200);
    expect(json).toEqual({ id: '7', tags: ['a', 'b'], organizationId });
    expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9A-Za-z]{22}$/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('ratelimit-limit')).toBe(String(API_PER_TOKEN.points));
    expect(response.headers.get('ratelimit-remaining')).toBe(String(API_PER_TOKEN.points - 1));
  });

  it.each([
    ['no token of ours', 'abc'],
    ['one that nobody has', `twk_${'0'.repeat(49)}`],
    ["a runner's key", `rnk_${'0'.repeat(49)}`],
  ])('refuses %s with 401', async (_name, token) => {
    const { response, json } = await readOne(token);
    expect(response.status).toBe(401);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(json).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  it('refuses a token that lacks the scope with 403, and says which', async () => {
    const { token } = await newToken(['chains:read']);
    const { response, json } = await readOne(token);
    expect(response.status).toBe(403);
    expect(json.detail).toContain('projects:read');
  });

  it('answers 404 for an id that cannot be one', async () => {
    const { token } = await newToken();
    expect((await readOne(token, 'x')).response.status).toBe(404);
  });

  it.each([
    [422, '{"text":""}', {}, { text: 'Enter a text.' }],
    [422, '', {}, undefined],
    [400, '{"text":', {}, undefined],
    [413, JSON.stringify({ text: 'x'.repeat(1_000) }), {}, undefined],
    [415, '{"text":"x"}', { 'content-type': 'text/plain' }, undefined],
  ])('answers %i to the body %.12s', async (status, body, headers, fields) => {
    const { token } = await newToken();
    const { response, json } = await send(writeNote, '/api/v1/notes', { token, body, headers });
    expect(response.status).toBe(status);
    expect(json.status).toBe(status);
    if (fields) expect(json.fields).toEqual(fields);
  });

  it('keeps the message of an unknown error to itself', async () => {
    const { token } = await newToken();
    nextFailure = new Error('password of the database');
    const { response, json } = await write(token, { text: 'x' });
    nextFailure = null;
    expect(response.status).toBe(500);
    expect(JSON.stringify(json)).not.toContain('database');
    expect(json.detail).toContain(json.requestId);
  });

  it('refuses more than its rate with 429 and when to come back', async () => {
    const { token } = await newToken();
    await readOne(token);
    await selectAll(database, 'update rate_limit set points = $1 where key like $2', [
      API_PER_TOKEN.points,
      `${API_PER_TOKEN.name}%`,
    ]);
    const { response } = await readOne(token);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('[SAS-6.2] an Idempotency-Key', () => {
  it('gives the first answer again without doing it again', async () => {
    const { token } = await newToken();
    const first = await write(token, { text: 'once' }, 'key-1');
    const again = await write(token, { text: 'once' }, 'key-1');
    expect(first.response.status).toBe(201);
    expect(again.response.status).toBe(201);
    expect(again.json).toEqual(first.json);
    expect(again.response.headers.get('idempotency-replayed')).toBe('true');
    expect((await write(token, { text: 'once' }, 'key-2')).json).not.toEqual(first.json);
  });

  it('belongs to its token', async () => {
    const [one, other] = [await newToken(), await newToken()];
    const first = await write(one.token, { text: 'mine' }, 'shared');
    expect((await write(other.token, { text: 'mine' }, 'shared')).json).not.toEqual(first.json);
  });

  it('is refused with another body: 422', async () => {
    const { token } = await newToken();
    await write(token, { text: 'one' }, 'key');
    expect((await write(token, { text: 'two' }, 'key')).response.status).toBe(422);
  });

  it('answers 409 while the first request still runs', async () => {
    const { token } = await newToken();
    let finish = () => {};
    const started = new Promise<void>((resolve) => {
      beforeAnswer = () => {
        resolve();
        return new Promise((done) => {
          finish = done;
        });
      };
    });
    const first = write(token, { text: 'slow' }, 'key');
    await started;
    beforeAnswer = null;
    expect((await write(token, { text: 'slow' }, 'key')).response.status).toBe(409);
    finish();
    expect((await first).response.status).toBe(201);
    expect((await write(token, { text: 'slow' }, 'key')).response.status).toBe(201);
  });

  it('may be used again after a failure', async () => {
    const { token } = await newToken();
    nextFailure = new ConflictError('Not now.');
    expect((await write(token, { text: 'retry' }, 'key')).response.status).toBe(409);
    nextFailure = null;
    expect((await write(token, { text: 'retry' }, 'key')).response.status).toBe(201);
  });

  it('keeps what is shown only once sealed', async () => {
    const { token } = await newToken();
    await write(token, { text: 'sealed-secret' }, 'key');
    const rows = await selectAll<{ text: string }>(
      database,
      'select i::text as text from idempotency_key i',
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map((row) => row.text).join('\n')).not.toContain('sealed-secret');
  });
});
