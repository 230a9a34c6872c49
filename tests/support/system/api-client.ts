/** The REST API as a client over HTTP uses it; every answer is read by its published schema. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';

export interface ApiClient {
  get<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema>>;
  post<Schema extends z.ZodType>(
    path: string,
    body: unknown,
    schema: Schema,
  ): Promise<z.output<Schema>>;
  /** The answer itself, whatever its status. */
  send(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<Response>;
}

/** `path` is what follows `/api/v1/`. */
export function apiClient(url: string, token: string): ApiClient {
  const send: ApiClient['send'] = async (method, path, body) => {
    const answer = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        // A kept connection may be closed by the server in the moment of the next POST.
        connection: 'close',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (answer.status !== 429) return answer;
    // The API's own limit on callers; it says how long.
    await sleep(Number(answer.headers.get('retry-after') ?? 1) * 1_000);
    return send(method, path, body);
  };

  async function read<Schema extends z.ZodType>(answer: Response, schema: Schema) {
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${text}`);
    return schema.parse(JSON.parse(text));
  }

  return {
    send,
    get: async (path, schema) => read(await send('GET', path), schema),
    post: async (path, body, schema) => read(await send('POST', path, body), schema),
  };
}
