/**
 * Names the end of a Claude Code process. The exit code alone decides nothing: 0 with nothing
 * printed exists, and so does a result called `success` that is an error.
 *
 * In order: 1. it never started, 2. the runner ended it, 3. it printed no result, 4. it printed one.
 */
import type { ResultEvent } from '@/lib/protocol/events';
import { HEARTBEAT_SECONDS } from '@/lib/protocol/schema';
import type { AttemptEndFacts, ClassifiedEnd, PointerFate, Retry } from '../attempt-end';
import { classifyApiError } from './classify-api-error';
import { endTexts } from './end-texts';

const NOT_FOUND = /No conversation found with session ID/i;
const ID_IN_USE = /Session ID \S+ is already in use/i;
const DISK_FULL = /ENOSPC|no space left on device/i;
const UNKNOWN_OPTION = /^error: unknown option/im;
/** What the CLI says before it starts, about flags and files we gave it. */
const BAD_START =
  /^(Error: (--|Invalid |Settings file|MCP |Append system prompt|Session ID|Input must)|--dangerously)|Argument list too long|EACCES|is required for/im;
const CLOSING_SIGNALS = new Set([129, 130, 137, 143]);
const TOO_LONG = /^(Prompt is too long|Request too large|Conversation too long)/i;
/** The CLI's notice and nothing more. An answer may begin with these words and go on. */
const TOO_LONG_NOTICE =
  /^(Prompt is too long|Request too large|Conversation too long)\.?( [·(].*)?$/i;
const NO_RETRY: Retry = { kind: 'none' };
const ONCE: Retry = { kind: 'once' };
/** By then the runner has reported what its host has now. */
const ONCE_REPORTED: Retry = { kind: 'after', seconds: HEARTBEAT_SECONDS + 5 };

export function classifyAttemptEnd(facts: AttemptEndFacts): ClassifiedEnd {
  const result = facts.results.at(-1) ?? null;
  if (facts.startError !== null) return neverStarted(facts, facts.startError);
  const stopped = stoppedByRunner(facts, result);
  if (stopped !== null) return stopped;
  if (result === null) return withoutResult(facts);
  if (result.isError || result.subtype !== 'success') return withError(facts, result);
  return withSuccess(facts, result);
}

/**
 * A conversation is confirmed by `init`, never by the result of a failed start, and by its file
 * on disk. Only then can it be continued.
 */
function ownPointer({ init, start, transcriptSeen }: AttemptEndFacts): PointerFate {
  return init?.cliSessionId === start.cliSessionId && transcriptSeen ? 'kept' : 'none';
}

function neverStarted(
  facts: AttemptEndFacts,
  error: NonNullable<AttemptEndFacts['startError']>,
): ClassifiedEnd {
  if (error.code === 'runner_restarted') {
    return { end: 'lost', pointer: ownPointer(facts), retry: ONCE, ...endTexts.lost(facts) };
  }
  if (error.code === 'work_dir_changed') {
    const text = endTexts.workDirChanged(facts);
    return { end: 'work_dir_changed', pointer: 'retired', retry: ONCE, ...text };
  }
  if (error.code === 'agent_changed') {
    return {
      end: 'agent_changed',
      pointer: 'none',
      retry: ONCE_REPORTED,
      ...endTexts.agentChanged(facts),
    };
  }
  if (error.code === 'transcript_changed') {
    const text = endTexts.transcriptChanged(facts);
    return { end: 'transcript_changed', pointer: 'retired', retry: ONCE, ...text };
  }
  const end = error.code === 'disk_full' ? 'disk_full' : 'start_failed';
  const text = end === 'disk_full' ? endTexts.diskFull(facts) : endTexts.notStarted(facts, error);
  return { end, pointer: 'none', retry: NO_RETRY, ...text };
}

function stoppedByRunner(facts: AttemptEndFacts, result: ResultEvent | null): ClassifiedEnd | null {
  const pointer = ownPointer(facts);
  switch (facts.stopCause) {
    case null:
      return null;
    case 'timed_out':
    case 'stalled':
    case 'runner_shutdown':
      // It had finished when the stop arrived.
      if (result !== null && isSuccess(result)) return null;
      if (facts.stopCause === 'runner_shutdown') {
        return { end: 'lost', pointer, retry: ONCE, ...endTexts.runnerShutDown(facts) };
      }
      return facts.stopCause === 'timed_out'
        ? { end: 'timed_out', pointer, retry: NO_RETRY, ...endTexts.timedOut(facts) }
        : { end: 'stalled', pointer, retry: ONCE, ...endTexts.stalled(facts) };
    case 'disk_full':
      return { end: 'disk_full', pointer: 'none', retry: NO_RETRY, ...endTexts.diskFull(facts) };
    case 'surplus_tools':
      return {
        end: 'start_failed',
        pointer: 'none',
        retry: NO_RETRY,
        ...endTexts.surplus(facts),
      };
    default:
      return {
        end: 'stopped',
        pointer,
        retry: NO_RETRY,
        ...endTexts.stopped(facts, facts.stopCause),
      };
  }
}

function withoutResult(facts: AttemptEndFacts): ClassifiedEnd {
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

function withError(facts: AttemptEndFacts, result: ResultEvent): ClassifiedEnd {
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

function withSuccess(facts: AttemptEndFacts, result: ResultEvent): ClassifiedEnd {
  // A notice that the conversation is full can come as the answer of a run called a success.
  if (isTooLong(result) && !isTheAgentsOwn(result)) return contextExhausted(facts);
  const pointer = ownPointer(facts);
  if (facts.isReportRequired && !facts.hasValidReport) {
    return { end: 'report_missing', pointer, retry: ONCE, ...endTexts.reportMissing(facts) };
  }
  return { end: 'completed', pointer, retry: NO_RETRY, ...endTexts.completed(facts) };
}

function contextExhausted(facts: AttemptEndFacts): ClassifiedEnd {
  const text = endTexts.contextExhausted(facts);
  return { end: 'context_exhausted', pointer: 'retired', retry: ONCE, ...text };
}

function resumeRejected(facts: AttemptEndFacts): ClassifiedEnd {
  const text = endTexts.resumeRejected(facts);
  return { end: 'resume_rejected', pointer: 'retired', retry: ONCE, ...text };
}

function isSuccess(result: ResultEvent): boolean {
  return !result.isError && result.subtype === 'success';
}

function isTooLong(result: ResultEvent): boolean {
  return result.terminalReason === 'prompt_too_long' || TOO_LONG.test(result.text ?? '');
}

/** Words of the model, as they come after a request that it ended itself. */
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
