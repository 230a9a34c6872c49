/** Ends that the model's provider caused. */
import type { ResultEvent } from '@/lib/protocol/events';
import type { AttemptEndFacts, ClassifiedEnd, PointerFate } from '../attempt-end';
import { endTexts } from './end-texts';

const NO_ACCESS = /Not logged in|Failed to authenticate|Invalid API key|Credit balance is too low/i;
const NO_ANSWER =
  /Unable to connect|Request timed out|Connection (error|closed|reset)|ECONN|ENOTFOUND|EAI_AGAIN|socket hang up|fetch failed/i;
const POLICY = /Usage Policy/i;
/** Complaints about earlier messages: sending the same history again gives the same answer. */
const HISTORY =
  /messages\.\d+|tool_use|tool_result|thinking|signature|must alternate|conversation history/i;

const SECONDS_AFTER_OVERLOAD = 30;
const SECONDS_AFTER_RATE_LIMIT = 60;
/** For a limit of unknown length, which is longer than the waits that the CLI makes itself. */
const SECONDS_AFTER_LONG_RATE_LIMIT = 900;
const MAX_WAIT_SECONDS = 6 * 3_600;

/** Null when the error is none of the provider's. `pointer` is what holds if nothing is wrong with it. */
export function classifyApiError(
  facts: AttemptEndFacts,
  result: ResultEvent,
  pointer: PointerFate,
): ClassifiedEnd | null {
  const status = result.apiErrorStatus;
  const said = result.text ?? '';
  if (status === 401 || status === 403 || NO_ACCESS.test(said)) {
    return { end: 'auth', pointer, retry: { kind: 'none' }, ...endTexts.auth(facts, result) };
  }
  if (status === 429) {
    const seconds = secondsUntilReset(facts);
    const text = endTexts.rateLimited(facts);
    return { end: 'rate_limited', pointer, retry: { kind: 'after', seconds }, ...text };
  }
  if (status !== null && status >= 500) {
    const seconds = SECONDS_AFTER_OVERLOAD;
    const text = endTexts.overloaded(status);
    return { end: 'overloaded', pointer, retry: { kind: 'after', seconds }, ...text };
  }
  if (status === null && NO_ANSWER.test(said)) {
    const seconds = SECONDS_AFTER_OVERLOAD;
    const text = endTexts.unreachable(facts);
    return { end: 'unreachable', pointer, retry: { kind: 'after', seconds }, ...text };
  }
  if (result.stopReason === 'refusal' || POLICY.test(said)) {
    const text = endTexts.refusedByModel(facts);
    return { end: 'refused_by_model', pointer: 'retired', retry: { kind: 'none' }, ...text };
  }
  if (status === 400 && facts.start.continuation.mode === 'resume' && HISTORY.test(said)) {
    const text = endTexts.historyUnreplayable(said);
    return { end: 'history_unreplayable', pointer: 'retired', retry: { kind: 'once' }, ...text };
  }
  if (status !== null && status >= 400) {
    const text = endTexts.badRequest(facts, result);
    return { end: 'bad_request', pointer, retry: { kind: 'none' }, ...text };
  }
  return null;
}

function secondsUntilReset(facts: AttemptEndFacts): number {
  const { rateLimitResetsAt, rateLimitRetries, endedAt } = facts;
  // The CLI prints no retry-after. It retries a short one itself, and a long one not at all.
  if (rateLimitResetsAt === null) {
    return rateLimitRetries > 0 ? SECONDS_AFTER_RATE_LIMIT : SECONDS_AFTER_LONG_RATE_LIMIT;
  }
  const seconds = Math.ceil(rateLimitResetsAt - endedAt.getTime() / 1_000);
  return Math.min(Math.max(seconds, SECONDS_AFTER_RATE_LIMIT), MAX_WAIT_SECONDS);
}
