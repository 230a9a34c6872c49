/** Ends that have the same meaning for every agent CLI: those that the runner or its host caused. */
import type { ResultEvent } from '@/lib/protocol/events';
import { HEARTBEAT_SECONDS } from '@/lib/protocol/schema';
import type { AttemptEndFacts, NamedEnd, PointerFate, Retry } from './attempt-end';
import type { EndTexts } from './end-texts';

export const NO_RETRY: Retry = { kind: 'none' };
export const ONCE: Retry = { kind: 'once' };
/** By then the runner has reported what its host has now. */
export const ONCE_REPORTED: Retry = { kind: 'after', seconds: HEARTBEAT_SECONDS + 5 };

/**
 * Classifies an end caused by the runner; null if the process ended on its own, which the agent's
 * adapter classifies.
 */
export function classifyRunnerEnd(facts: AttemptEndFacts, endTexts: EndTexts): NamedEnd | null {
  if (facts.startError !== null) return neverStarted(facts, facts.startError, endTexts);
  return stoppedByRunner(facts, facts.results.at(-1) ?? null, endTexts);
}

/**
 * A conversation is confirmed by `init`, never by the result of a failed start, and by its file
 * on disk. Only then can it be continued.
 */
export function ownPointer({ init, start, transcriptSeen }: AttemptEndFacts): PointerFate {
  return init?.cliSessionId === start.cliSessionId && transcriptSeen ? 'kept' : 'none';
}

function neverStarted(
  facts: AttemptEndFacts,
  error: NonNullable<AttemptEndFacts['startError']>,
  endTexts: EndTexts,
): NamedEnd {
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
  if (error.code === 'seal_unavailable') {
    const text = endTexts.sealUnavailable(facts, error);
    return { end: 'seal_unavailable', pointer: 'retired', retry: ONCE, ...text };
  }
  const end = error.code === 'disk_full' ? 'disk_full' : 'start_failed';
  const text = end === 'disk_full' ? endTexts.diskFull(facts) : endTexts.notStarted(facts, error);
  return { end, pointer: 'none', retry: NO_RETRY, ...text };
}

function stoppedByRunner(
  facts: AttemptEndFacts,
  result: ResultEvent | null,
  endTexts: EndTexts,
): NamedEnd | null {
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
    case 'approval':
      // It had finished when the command was given up.
      if (result !== null && isSuccess(result)) return null;
      return {
        end: 'waiting_for_approval',
        pointer,
        retry: NO_RETRY,
        ...endTexts.waitingForApproval(),
      };
    case 'max_budget':
      return { end: 'max_budget', pointer, retry: NO_RETRY, ...endTexts.maxBudget(facts) };
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

function isSuccess(result: ResultEvent): boolean {
  return !result.isError && result.subtype === 'success';
}
