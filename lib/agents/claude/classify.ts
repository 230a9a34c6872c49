/**
 * Names the end of a Claude Code process. The exit code alone decides nothing: 0 with nothing
 * printed exists, and so does a result called `success` that is an error.
 *
 * In order: 1. it never started, 2. the runner ended it, 3. it printed no result, 4. it printed one.
 */
import type { ResultEvent } from '@/lib/protocol/events';
import type { AttemptEndFacts, ClassifiedEnd, NamedEnd, PointerFate } from '../attempt-end';
import { byGateway, endTextsOf } from '../end-texts';
import { classifyRunnerEnd, NO_RETRY, ONCE, ONCE_REPORTED, ownPointer } from '../runner-ends';

const NOT_FOUND = /No conversation found with session ID/i;
const ID_IN_USE = /Session ID \S+ is already in use/i;
const DISK_FULL = /ENOSPC|no space left on device/i;
const UNKNOWN_OPTION = /^error: unknown option/im;
/** What the CLI says before it starts, about flags and files we gave it. */
const BAD_START =
  /^(Error: (--|Invalid |Settings file|MCP |Append system prompt|Session ID|Input must)|--dangerously)|Argument list too long|EACCES|is required for/im;
const CLOSING_SIGNALS = new Set([129, 130, 137, 143]);
const TOO_LONG = /^(Prompt is too long|Request too large|Conversation too long)/i;
/** The CLI's notice and nothing more. An answer may begin with these words and continue. */
const TOO_LONG_NOTICE =
  /^(Prompt is too long|Request too large|Conversation too long)\.?( [·(].*)?$/i;
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

const endTexts = endTextsOf({
  label: 'Claude Code',
  programVariable: 'CLAUDE_BIN',
  keyVariable: 'ANTHROPIC_API_KEY',
  addressVariable: 'ANTHROPIC_BASE_URL',
});

/** What a result says when its process was interrupted during a tool call. */
const INTERRUPTED_CALL = 'aborted_tools';

export function classifyAttemptEnd(facts: AttemptEndFacts): ClassifiedEnd {
  const isCallInterrupted = facts.results.some(
    ({ terminalReason }) => terminalReason === INTERRUPTED_CALL,
  );
  return { ...namedEnd(facts), isCallInterrupted };
}

function namedEnd(facts: AttemptEndFacts): NamedEnd {
  const result = facts.results.at(-1) ?? null;
  const caused = classifyRunnerEnd(facts, endTexts);
  if (caused !== null) return caused;
  if (result === null) return withoutResult(facts);
  if (result.isError || result.subtype !== 'success') return withError(facts, result);
  return withSuccess(facts, result);
}

function withoutResult(facts: AttemptEndFacts): NamedEnd {
  const { stderrTail, exit, init } = facts;
  if (isResume(facts) && NOT_FOUND.test(stderrTail)) return resumeRejected(facts);
  if (DISK_FULL.test(stderrTail)) {
    return { end: 'disk_full', pointer: 'none', retry: NO_RETRY, ...endTexts.diskFull(facts) };
  }
  // Another version than the one that the flags were chosen for.
  if (init === null && UNKNOWN_OPTION.test(stderrTail)) {
    return {
      end: 'agent_changed',
      pointer: 'none',
      retry: ONCE_REPORTED,
      ...endTexts.agentChanged(facts),
    };
  }
  if (init === null && (ID_IN_USE.test(stderrTail) || BAD_START.test(stderrTail))) {
    // A new attempt gets a new id, so a taken one is worth another try.
    const retry = ID_IN_USE.test(stderrTail) ? ONCE : NO_RETRY;
    return { end: 'start_failed', pointer: 'none', retry, ...endTexts.refusedStart(facts) };
  }
  const pointer = ownPointer(facts);
  if (exit === null) return { end: 'lost', pointer, retry: ONCE, ...endTexts.lost(facts) };
  // An interrupt during a request ends with 0 and prints nothing.
  if (exit.signal !== null || exit.code === 0 || CLOSING_SIGNALS.has(exit.code ?? -1)) {
    return { end: 'killed', pointer, retry: ONCE, ...endTexts.killed(facts) };
  }
  return { end: 'crashed', pointer, retry: ONCE, ...endTexts.crashed(facts) };
}

function withError(facts: AttemptEndFacts, result: ResultEvent): NamedEnd {
  const pointer = ownPointer(facts);
  const said = [result.text ?? '', ...result.errors].join('\n');
  if (isResume(facts) && (NOT_FOUND.test(`${said}\n${facts.stderrTail}`) || isUntouched(result))) {
    return resumeRejected(facts);
  }
  switch (result.subtype) {
    case 'error_max_turns':
      return { end: 'max_turns', pointer, retry: NO_RETRY, ...endTexts.maxTurns(facts) };
    case 'error_max_budget_usd':
      return { end: 'max_budget', pointer, retry: NO_RETRY, ...endTexts.maxBudget(facts) };
    case 'error_max_structured_output_retries':
      return { end: 'report_missing', pointer, retry: ONCE, ...endTexts.reportInvalid(facts) };
  }
  if (result.terminalReason?.startsWith('aborted_')) {
    return { end: 'killed', pointer, retry: ONCE, ...endTexts.killed(facts) };
  }
  if (isTooLong(result)) return contextExhausted(facts);
  if (DISK_FULL.test(said)) {
    return { end: 'disk_full', pointer: 'none', retry: NO_RETRY, ...endTexts.diskFull(facts) };
  }
  return (
    classifyApiError(facts, result, pointer) ?? {
      end: 'unknown',
      // What fails on a resumed conversation for no known reason may fail on it for ever.
      pointer: isResume(facts) ? 'retired' : pointer,
      retry: ONCE,
      ...endTexts.unknown(facts, said),
    }
  );
}

function withSuccess(facts: AttemptEndFacts, result: ResultEvent): NamedEnd {
  // A notice that the conversation is full can come as the answer of a run called a success.
  if (isTooLong(result) && !isTheAgentsOwn(result)) return contextExhausted(facts);
  const pointer = ownPointer(facts);
  if (facts.isReportRequired && !facts.hasValidReport) {
    return { end: 'report_missing', pointer, retry: ONCE, ...endTexts.reportMissing(facts) };
  }
  return { end: 'completed', pointer, retry: NO_RETRY, ...endTexts.completed(facts) };
}

function contextExhausted(facts: AttemptEndFacts): NamedEnd {
  const text = endTexts.contextExhausted(facts);
  return { end: 'context_exhausted', pointer: 'retired', retry: ONCE, ...text };
}

function resumeRejected(facts: AttemptEndFacts): NamedEnd {
  const text = endTexts.resumeRejected(facts);
  return { end: 'resume_rejected', pointer: 'retired', retry: ONCE, ...text };
}

function isTooLong(result: ResultEvent): boolean {
  return result.terminalReason === 'prompt_too_long' || TOO_LONG.test(result.text ?? '');
}

/** The model's own text after a request that it ended. */
function isTheAgentsOwn({ terminalReason, stopReason, text }: ResultEvent): boolean {
  if (terminalReason === 'prompt_too_long' || stopReason !== 'end_turn') return false;
  return !TOO_LONG_NOTICE.test(text ?? '');
}

function isResume(facts: AttemptEndFacts): boolean {
  return facts.start.continuation.mode === 'resume';
}

/** No turn and no request: whatever the message says, the conversation could not be taken up. */
function isUntouched(result: ResultEvent): boolean {
  return (
    result.numTurns === 0 &&
    result.durationApiMs === 0 &&
    Object.keys(result.modelUsage).length === 0
  );
}

/** Null when the error is none of the provider's. `pointer` is what holds if nothing is wrong with it. */
function classifyApiError(
  facts: AttemptEndFacts,
  result: ResultEvent,
  pointer: PointerFate,
): NamedEnd | null {
  const status = result.apiErrorStatus;
  const said = result.text ?? '';
  // The gateway's refusals look like the provider's, but no key is wrong.
  if (status === 403 && byGateway(said) !== null) {
    const text = endTexts.badRequest(facts, result);
    return { end: 'bad_request', pointer, retry: { kind: 'none' }, ...text };
  }
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
