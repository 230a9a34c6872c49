/** What the scripted API answers to one request. */

/** Tokens that one answer reports. */
export interface ReplyUsage {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
}

export type ReplyBlock =
  | { type: 'text'; text: string; pieces?: SlowPieces }
  | { type: 'tool_use'; name: string; input: Record<string, unknown> };

/** How a text is streamed: each piece once `before` it is over. */
export interface SlowPieces {
  texts: readonly string[];
  before(piece: number): Promise<void>;
}

export interface MessageReply {
  kind: 'message';
  blocks: ReplyBlock[];
  stopReason: 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal';
  usage: ReplyUsage;
}

export type Reply =
  | MessageReply
  | {
      kind: 'error';
      status: number;
      errorType: string;
      message: string;
      headers: Record<string, string>;
    }
  /** The answer begins, reports its input tokens and one output token, and never ends. */
  | { kind: 'hang_after_start'; usage: ReplyUsage }
  | { kind: 'hang' };

export const DEFAULT_USAGE: ReplyUsage = {
  inputTokens: 1_000,
  outputTokens: 100,
  cacheReadTokens: 10_000,
  cacheWriteTokens: 2_000,
};

function usageOf(usage: Partial<ReplyUsage> = {}): ReplyUsage {
  return { ...DEFAULT_USAGE, ...usage };
}

/** The model says something and ends its turn. */
export function say(text: string, usage?: Partial<ReplyUsage>): MessageReply {
  return {
    kind: 'message',
    blocks: [{ type: 'text', text }],
    stopReason: 'end_turn',
    usage: usageOf(usage),
  };
}

/** The same, written slowly: each piece comes once `before` it is over. */
export function saySlowly(texts: readonly string[], before: SlowPieces['before']): MessageReply {
  const block: ReplyBlock = { type: 'text', text: texts.join(''), pieces: { texts, before } };
  return { ...say(block.text), blocks: [block] };
}

/** The model calls a tool; `text` is said before the call. */
export function callTool(
  name: string,
  input: Record<string, unknown>,
  { text, ...usage }: Partial<ReplyUsage> & { text?: string } = {},
): MessageReply {
  const spoken: ReplyBlock[] = text === undefined ? [] : [{ type: 'text', text }];
  return {
    kind: 'message',
    blocks: [...spoken, { type: 'tool_use', name, input }],
    stopReason: 'tool_use',
    usage: usageOf(usage),
  };
}

export function callBash(command: string, usage?: Partial<ReplyUsage>): MessageReply {
  return callTool('Bash', { command, description: 'scripted' }, usage);
}

/** The model calls all of them in one message. */
export function inOneMessage(calls: readonly MessageReply[]): MessageReply {
  const [first] = calls;
  if (!first) throw new Error('There is nothing to call.');
  return { ...first, blocks: calls.flatMap(({ blocks }) => blocks) };
}

/** The same calls in few messages: each answer of the CLI costs it as much as the conversation is long. */
export function inFewMessages(calls: readonly MessageReply[], perMessage = 20): MessageReply[] {
  const count = Math.ceil(calls.length / perMessage);
  return Array.from({ length: count }, (_, at) =>
    inOneMessage(calls.slice(at * perMessage, (at + 1) * perMessage)),
  );
}

/** The model hands in its report, by the tool that `--json-schema` adds. */
export function reportBack(
  report: Record<string, unknown>,
  usage?: Partial<ReplyUsage>,
): MessageReply {
  return callTool('StructuredOutput', report, usage);
}

export function refuse(usage?: Partial<ReplyUsage>): MessageReply {
  return { kind: 'message', blocks: [], stopReason: 'refusal', usage: usageOf(usage) };
}

const ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

export function failWith(
  status: number,
  message = `scripted ${status}`,
  headers: Record<string, string> = {},
): Reply {
  const errorType = ERROR_TYPES[status] ?? 'api_error';
  return { kind: 'error', status, errorType, message, headers };
}

/** The request is never answered. */
export function hang(): Reply {
  return { kind: 'hang' };
}

export function hangAfterStart(usage?: Partial<ReplyUsage>): Reply {
  return { kind: 'hang_after_start', usage: usageOf(usage) };
}
