import type { z } from 'zod';
import { InvalidError } from '../errors';
import { parseStorable } from '../format/text';
import { HttpError } from './problem';

export const DEFAULT_MAX_BODY_BYTES = 1_000_000;

/**
 * Reads the body as text up to the limit, regardless of the declared length. Throws HttpError 400,
 * 413 or 415.
 */
export async function readJsonText(request: Request, maxBytes: number): Promise<string> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) {
    throw new HttpError(415, 'Send JSON with the header Content-Type: application/json.');
  }
  return (await readBytes(request, maxBytes)).toString('utf8');
}

/** The same for a body of any type, as bytes. */
export async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  if (!request.body) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of arriving(request.body)) {
    length += chunk.byteLength;
    if (length > maxBytes) {
      throw new HttpError(413, `The body is larger than ${maxBytes.toLocaleString('en')} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A client that disconnects mid-request is not an error of ours, so it isn't logged as one. */
async function* arriving(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch {
    throw new HttpError(400, 'The request body is incomplete.');
  }
}

/** Parses JSON and replaces characters that the database can't store. */
export function parseJson(text: string): unknown {
  try {
    return parseStorable(text);
  } catch {
    throw new HttpError(400, 'The body is not JSON.');
  }
}

/** Throws InvalidError with the first thing wrong at each field, by its path: `tiers.0.model`. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join('.')] ??= issue.message;
  const [first] = Object.entries(fields);
  const message = first ? `${first[0] ? `${first[0]}: ` : ''}${first[1]}` : 'It is not valid.';
  throw new InvalidError(message, fields);
}
