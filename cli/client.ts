import { createParser } from 'eventsource-parser';
import { z } from 'zod';
import { CommandError, EXIT } from './exit-code';

const problemSchema = z.looseObject({
  detail: z.string(),
  status: z.number(),
  fields: z.record(z.string(), z.string()).optional(),
});

/** The API said no. `fields` maps a field's path to what is wrong with it. */
export class ApiError extends CommandError {
  constructor(
    readonly status: number,
    message: string,
    readonly problem: Record<string, unknown>,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

export interface ApiClient {
  readonly url: string;
  request<Schema extends z.ZodType>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    answer: Schema,
    body?: unknown,
  ): Promise<z.output<Schema>>;
  /** Server-sent events, until the server ends the stream or `onEvent` answers false. */
  follow(
    path: string,
    lastEventId: string,
    onEvent: (event: StreamEvent) => boolean,
  ): Promise<'ended' | 'stopped'>;
}

interface StreamEvent {
  id: string | null;
  /** `message` where the server named none. */
  event: string;
  data: unknown;
}

/** Speaks the REST API as the command line. Throws ApiError, or CommandError when nothing answers. */
export function createApiClient(url: string, token: string | undefined): ApiClient {
  const base = url.replace(/\/+$/, '');

  async function send(path: string, init: RequestInit): Promise<Response> {
    if (!token) {
      throw new CommandError(
        'TIERWATCH_TOKEN is not set. Create a token with: npm run tierwatch -- token create --organization <slug> --scopes all',
        EXIT.usage,
      );
    }
    const headers = { authorization: `Bearer ${token}`, ...init.headers };
    try {
      return await fetch(`${base}/api/v1/${path}`, { ...init, headers, redirect: 'error' });
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new CommandError(
        `${base} is unreachable: ${why}. Start Tierwatch there, or set TIERWATCH_URL to its address.`,
      );
    }
  }

  return {
    url: base,
    async request(method, path, answer, body) {
      const response = await send(path, {
        method,
        ...(body === undefined
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      if (!response.ok) throw await apiError(response);
      return answer.parse(response.status === 204 ? undefined : await response.json());
    },
    async follow(path, lastEventId, onEvent) {
      const abort = new AbortController();
      const response = await send(path, {
        headers: { accept: 'text/event-stream', 'last-event-id': lastEventId },
        signal: abort.signal,
      });
      if (!response.ok || !response.body) throw await apiError(response);
      return readStream(response.body, onEvent, () => abort.abort());
    },
  };
}

async function readStream(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: StreamEvent) => boolean,
  stop: () => void,
): Promise<'ended' | 'stopped'> {
  let goesOn = true;
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      if (!goesOn) return;
      goesOn = onEvent({ id: id ?? null, event: event ?? 'message', data: JSON.parse(data) });
    },
  });
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      if (!goesOn) return 'stopped';
    }
  } catch {
    // A cut connection is an end like any other: the caller comes back with the last id.
  } finally {
    stop();
  }
  return 'ended';
}

async function apiError(response: Response): Promise<ApiError> {
  const body = problemSchema.safeParse(await response.json().catch(() => null)).data;
  const fields = Object.entries(body?.fields ?? {}).map(([path, text]) => `  ${path}: ${text}`);
  const detail = body?.detail ?? `The server answered ${response.status}.`;
  return new ApiError(response.status, [detail, ...fields].join('\n'), body ?? {});
}
