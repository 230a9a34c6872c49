import type { z } from 'zod';
import { InvalidError, NotFoundError } from '@/lib/platform/errors';
import { storable } from '@/lib/platform/format/text';
import { HttpError } from '@/lib/platform/http/problem';
import { parseInput, parseJson, readJsonText } from '@/lib/platform/http/read-body';
import { unknownKeys } from '@/lib/platform/unknown-keys';
import type { QueryRefusal } from './route-description';

/** Parses path parameters. Throws NotFoundError for a malformed id, as for a missing row. */
export function parseParams(schema: z.ZodType | undefined, params: unknown): unknown {
  if (!schema) return undefined;
  try {
    return parseInput(schema, storable(params));
  } catch (error) {
    throw error instanceof InvalidError ? new NotFoundError() : error;
  }
}

/**
 * A name that occurs several times becomes a list. `status`: the HTTP status of a malformed query.
 */
export function parseQuery(
  schema: z.ZodType | undefined,
  url: string,
  status: QueryRefusal,
): unknown {
  if (!schema) return undefined;
  const { searchParams } = new URL(url);
  const values = [...new Set(searchParams.keys())].map((name) => {
    const all = searchParams.getAll(name);
    return [name, all.length > 1 ? all : all[0]];
  });
  try {
    return parseInput(schema, storable(Object.fromEntries(values)));
  } catch (error) {
    if (status === 422 || !(error instanceof InvalidError)) throw error;
    throw new HttpError(status, error.message, error.details);
  }
}

/**
 * Returns the body and its raw text; an empty body is an empty object. With `isClosed`, a key that
 * the schema doesn't know is refused at any depth, since it would silently have no effect.
 */
export async function parseBody(
  schema: z.ZodType | undefined,
  request: Request,
  maxBytes: number,
  { isClosed }: { isClosed: boolean },
): Promise<{ body: unknown; text: string }> {
  if (!schema) return { body: undefined, text: '' };
  const isEmpty = !request.body || request.headers.get('content-length') === '0';
  const text = isEmpty ? '' : await readJsonText(request, maxBytes);
  const value = text === '' ? {} : parseJson(text);
  if (isClosed) refuseUnknownKeys(schema, value);
  return { body: parseInput(schema, value), text };
}

function refuseUnknownKeys(schema: z.ZodType, value: unknown): void {
  const unknown = unknownKeys(schema, value).map(({ path, message }): [string, string] => [
    path.join('.'),
    message,
  ]);
  const [first] = unknown;
  if (first) throw new InvalidError(`${first[0]}: ${first[1]}`, Object.fromEntries(unknown));
}
