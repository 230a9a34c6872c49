/**
 * The request that was in flight when a process ended. The provider bills it, and the CLI omits it
 * from its result, or prints no result at all. Once the answer has started, the stream reports its
 * input tokens; before that, they are derived from the previous request and what was added since.
 */

import type { RequestUsageEvent, RunnerEvent } from '@/lib/protocol/events';
import type { StartedWith } from '../booking';
import type { TokenCounts } from '../prices';

export type InFlight =
  /** Its answer had begun: the stream has its input, and its output up to then. */
  | { kind: 'answering'; request: RequestUsageEvent }
  /** Nothing of its answer was printed. */
  | { kind: 'unanswered'; model: string; tokens: TokenCounts };

/** Of texts in prompts and outputs of tools; a rough mean, since no tokenizer of the provider is public. */
const CHARS_PER_TOKEN = 4;
/** System prompt and tools of the CLI itself: 17,000 to 35,000 characters, by version and tier. */
const CLI_TOKENS = 6_000;

/**
 * Returns the request that was in flight at the end of `events`, or null. Retries count as nothing:
 * a request that the provider answered with an error is not billed.
 */
export function requestInFlight(
  events: readonly RunnerEvent[],
  started: StartedWith | null,
): InFlight | null {
  const { isAwaited, last, addedChars, model, contextTokens } = standing(events);
  if (isAwaited && model !== null) {
    const added = Math.ceil(
      (addedChars + (last ? 0 : (started?.promptChars ?? 0))) / CHARS_PER_TOKEN,
    );
    const before = last ? contextOf(last) : (started?.contextTokens ?? null);
    const cached = contextTokens ?? before;
    // What was sent before is read from the provider's cache, and what is new is written to it.
    const tokens = {
      inputTokens: 0,
      outputTokens: 0,
      cacheReadTokens: cached ?? 0,
      cacheWriteTokens: added + (last?.outputTokens ?? 0) + (cached === null ? CLI_TOKENS : 0),
    };
    return { kind: 'unanswered', model: last?.model ?? model, tokens };
  }
  const end = events.findLast((event) => event.kind === 'result');
  const isOver = end !== undefined && end.terminalReason !== ABORTED;
  return last && !last.final && !isOver ? { kind: 'answering', request: last } : null;
}

/** What a result says when its process was interrupted while it waited for an answer. */
const ABORTED = 'aborted_streaming';

interface Standing {
  /** A request was sent, or was about to be, and none of its answer has come. */
  isAwaited: boolean;
  /** The last request of the conversation itself whose answer has begun. */
  last: RequestUsageEvent | null;
  /** Characters that the conversation has grown by since. */
  addedChars: number;
  model: string | null;
  /** Of the conversation after a compaction; null without one since `last`. */
  contextTokens: number | null;
}

function standing(events: readonly RunnerEvent[]): Standing {
  const at: Standing = {
    isAwaited: false,
    last: null,
    addedChars: 0,
    model: null,
    contextTokens: null,
  };
  /** Calls of the conversation itself that have no result yet. */
  const open = new Set<string>();
  for (const event of events) {
    switch (event.kind) {
      case 'init':
        at.model = event.model;
        at.isAwaited = true;
        break;
      case 'request_usage':
        if (event.parentToolUseId != null) break;
        if (event.messageId !== at.last?.messageId) {
          at.isAwaited = false;
          at.addedChars = 0;
          at.contextTokens = null;
        }
        at.last = event;
        break;
      case 'tool_call':
        if (event.parentToolUseId === null) open.add(event.toolUseId);
        break;
      case 'tool_result':
        if (!open.delete(event.toolUseId)) break;
        at.addedChars += event.content.length + event.cutBytes;
        // The CLI sends the results of all calls of a message together.
        if (open.size === 0) at.isAwaited = true;
        break;
      case 'compaction':
        at.isAwaited = true;
        if (event.phase === 'finished') at.contextTokens = event.postTokens;
        break;
      case 'api_retry':
        if (event.status !== null) at.isAwaited = false;
        break;
      case 'result':
        if (event.terminalReason !== ABORTED) at.isAwaited = false;
        break;
      default:
        break;
    }
  }
  return at;
}

/** Everything that the request after it sends again, but for what it answered. */
function contextOf(request: TokenCounts): number {
  return request.inputTokens + request.cacheReadTokens + request.cacheWriteTokens;
}
