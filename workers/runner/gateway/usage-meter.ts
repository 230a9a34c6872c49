/**
 * Reads what a request to the model costs from the provider's answer while it passes through, in
 * pieces that may end anywhere.
 */
import type { Charged } from '@/lib/agents/prices';

export interface MeteredRequest extends Charged {
  /** The provider's id of the message. */
  messageId: string;
  model: string;
  /** False if the answer was cut off: its output is what had come until then. */
  isComplete: boolean;
}

export interface UsageMeter {
  push(chunk: Uint8Array): void;
  /** What is known so far; null before the answer has begun. */
  readonly request: MeteredRequest | null;
}

/** No event of a stream that tells usage is that long. */
const MAX_LINE_BYTES = 1_000_000;
/** Of an answer that isn't streamed. */
const MAX_BODY_BYTES = 20_000_000;
/** Of text that has come and that the provider hasn't counted yet; a rough mean. */
const CHARS_PER_TOKEN = 4;

interface Usage {
  input_tokens?: number | null;
  output_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  server_tool_use?: { web_search_requests?: number | null } | null;
}

interface StreamEvent {
  type?: string;
  message?: { id?: string; model?: string; usage?: Usage };
  delta?: { text?: string; partial_json?: string; thinking?: string };
  usage?: Usage;
}

/** @param contentType of the answer: a stream of events, or one JSON document */
export function createUsageMeter(contentType: string): UsageMeter {
  return contentType.includes('text/event-stream') ? streamMeter() : documentMeter();
}

function streamMeter(): UsageMeter {
  const decoder = new TextDecoder();
  let rest = '';
  let isSkipping = false;
  let request: MeteredRequest | null = null;
  let uncountedChars = 0;

  function read(line: string): void {
    if (!line.startsWith('data:')) return;
    const event = parsed<StreamEvent>(line.slice(5));
    if (event?.type === 'message_start') {
      const { id = '', model = '', usage = {} } = event.message ?? {};
      request = { messageId: id, model, ...tokensOf(usage), isComplete: false };
    } else if (event?.type === 'content_block_delta') {
      const { text = '', partial_json = '', thinking = '' } = event.delta ?? {};
      uncountedChars += text.length + partial_json.length + thinking.length;
    } else if (event?.type === 'message_delta' && request) {
      request = { ...request, ...laterTokens(request, event.usage ?? {}) };
      uncountedChars = 0;
    } else if (event?.type === 'message_stop' && request) {
      request = { ...request, isComplete: true };
    }
  }

  return {
    push(chunk) {
      rest += decoder.decode(chunk, { stream: true });
      for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
        if (!isSkipping) read(rest.slice(0, end));
        isSkipping = false;
        rest = rest.slice(end + 1);
      }
      if (rest.length <= MAX_LINE_BYTES) return;
      isSkipping = true;
      rest = '';
    },
    get request() {
      if (request === null) return null;
      const uncounted = Math.ceil(uncountedChars / CHARS_PER_TOKEN);
      return { ...request, outputTokens: Math.max(request.outputTokens, uncounted) };
    },
  };
}

function documentMeter(): UsageMeter {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let request: MeteredRequest | null = null;
  return {
    push(chunk) {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
    },
    get request() {
      if (request !== null || bytes > MAX_BODY_BYTES) return request;
      const text = Buffer.concat(chunks).toString('utf8');
      const document = parsed<{ type?: string; id?: string; model?: string; usage?: Usage }>(text);
      if (document?.type !== 'message' || !document.usage) return null;
      const { id = '', model = '', usage } = document;
      request = { messageId: id, model, ...tokensOf(usage), isComplete: true };
      return request;
    },
  };
}

function tokensOf(usage: Usage): Charged {
  const webSearches = count(usage.server_tool_use?.web_search_requests);
  return {
    inputTokens: count(usage.input_tokens),
    outputTokens: count(usage.output_tokens),
    cacheReadTokens: count(usage.cache_read_input_tokens),
    cacheWriteTokens: count(usage.cache_creation_input_tokens),
    ...(webSearches === 0 ? {} : { webSearches }),
  };
}

/** The last figures repeat the input's, or leave them out, or give 0. */
function laterTokens(before: Charged, usage: Usage): Charged {
  const now = tokensOf(usage);
  return {
    ...now,
    inputTokens: now.inputTokens || before.inputTokens,
    outputTokens: usage.output_tokens == null ? before.outputTokens : now.outputTokens,
    cacheReadTokens: now.cacheReadTokens || before.cacheReadTokens,
    cacheWriteTokens: now.cacheWriteTokens || before.cacheWriteTokens,
  };
}

function count(value: number | null | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

function parsed<Value>(text: string): Value | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Value) : null;
  } catch {
    return null;
  }
}
