/** The REST API for a client that outlives its server: each request is repeated until it is answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';

const REPEAT_MS = 300;
const ANSWER_WITHIN_MS = 20_000;

export interface PatientClient {
  get<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema>>;
  /** The same key for every repeat. */
  post<Schema extends z.ZodType>(
    path: string,
    body: unknown,
    schema: Schema,
    key?: string,
  ): Promise<z.output<Schema>>;
}

/** No answer came before the deadline. */
export class Unanswered extends Error {}

/** `deadline`: milliseconds since the epoch after which requests are given up. */
export function patientClient(url: string, token: string, deadline: () => number): PatientClient {
  async function ask(path: string, init: RequestInit): Promise<Response | null> {
    try {
      return await fetch(`${url}/api/v1/${path}`, {
        ...init,
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
    } catch {
      return null;
    }
  }

  async function answered<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    init: RequestInit,
  ): Promise<z.output<Schema>> {
    let last = 'no connection';
    while (Date.now() < deadline()) {
      const response = await ask(path, init);
      // An answer can be cut off as well.
      const text = await response?.text().catch(() => null);
      if (response?.ok && typeof text === 'string') return schema.parse(JSON.parse(text));
      if (response && typeof text === 'string') {
        last = `${response.status} ${text}`;
        if (!isWorthRepeating(response.status)) throw new Error(`${path}: ${last}`);
      }
      await sleep(Math.max(REPEAT_MS, Number(response?.headers.get('retry-after') ?? 0) * 1_000));
    }
    throw new Unanswered(`${path} was not answered in time; the last answer: ${last}`);
  }

  const headers = { authorization: `Bearer ${token}` };
  return {
    get: (path, schema) => answered(path, schema, { headers }),
    post: (path, body, schema, key) =>
      answered(path, schema, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        body: JSON.stringify(body),
      }),
  };
}

/** 409: the first request with this key still counts as running, or its chain runs. */
function isWorthRepeating(status: number): boolean {
  return status >= 500 || status === 429 || status === 409;
}
