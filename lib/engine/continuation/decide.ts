import { modelEdge } from './guards/conversation';
import type { GuardInput, GuardOutcome, Stop } from './guards/guard';
import { GUARDS, RUNNER_CHECKS } from './guards/matrix';
import {
  type Advisory,
  type ContextUse,
  continuesItself,
  type GuardResult,
  type GuardState,
  type Pointer,
  type ResumeDecision,
  type ResumePolicy,
  type ResumeRequest,
  type Runtime,
} from './schema';

/** How long a start waits for the one host that holds its conversation, in seconds. */
export const HOST_WAIT_SECONDS = 120;

/** How long one wait lasts before the decision is evaluated again, in milliseconds. */
export const WAIT_STEP_MS = 2_000;

/**
 * Decides how a start relates to the conversation before it. The guards are evaluated in order, and
 * the first that stops decides. If none does, the conversation is resumed as a fork, so that the
 * parent's stays unchanged.
 */
export function resolveResumeDecision(
  request: ResumeRequest,
  pointer: Pointer | null,
  runtime: Runtime,
  policy: ResumePolicy,
  now: Date,
  guards = GUARDS,
): ResumeDecision {
  const context = contextUse(pointer, runtime, policy);
  const input: GuardInput = { request, pointer, runtime, policy, now, context };
  const results: GuardResult[] = [];
  let stop: Stop | null = null;
  for (const { id, name, check } of guards) {
    if (stop !== null) {
      results.push(notReached(id, name));
      continue;
    }
    const outcome = check(input);
    stop = outcome.stop;
    results.push({ id, name, ...answered(outcome) });
  }
  const isMoved = pointer !== null && pointer.runnerId !== runtime.runnerId;
  for (const check of RUNNER_CHECKS)
    results.push(beforeStart(check, stop === null ? pointer : null, isMoved));
  const shared = {
    guards: results,
    context,
    retirePointer: stop?.retires ?? false,
    newCliSessionId: request.newCliSessionId,
  };
  if (stop !== null) return stopped(stop, request, shared);
  const parentCliSessionId = pointer?.cliSessionId;
  if (!pointer || !parentCliSessionId)
    throw new Error('The guards passed a start that has nothing to resume.');
  return {
    mode: 'resume',
    reason: okReason(request),
    parentCliSessionId,
    workDirInode: isMoved ? null : pointer.workDirInode,
    transcript: pointer.transcript,
    sealId: isMoved ? (pointer.seal?.id ?? null) : null,
    advisories: advisories(input, pointer),
    ...shared,
  };
}

function okReason({ purpose }: ResumeRequest): 'OK_CONTINUE' | 'OK_APPROVAL' | 'OK_RESUME' {
  if (purpose === 'approval') return 'OK_APPROVAL';
  return purpose === 'continue' ? 'OK_CONTINUE' : 'OK_RESUME';
}

function notReached(id: string, name: string): GuardResult {
  return { id, name, state: 'not_reached', passed: null, compared: {}, unknown: {} };
}

/**
 * Returns whether a guard has passed. Unknown facts alone are no comparison, so such a guard has
 * not.
 */
function answered({ compared, unknown, stop }: GuardOutcome) {
  const names = Object.keys(compared);
  const isUnknown = names.length > 0 && names.every((name) => Object.hasOwn(unknown, name));
  const state: GuardState = stop ? 'stopped' : isUnknown ? 'not_checked' : 'passed';
  return { state, passed: passedOf(state), compared, unknown };
}

export function passedOf(state: GuardState): boolean | null {
  if (state === 'passed') return true;
  return state === 'stopped' ? false : null;
}

function beforeStart(
  { id, name, fact, isKnown }: (typeof RUNNER_CHECKS)[number],
  pointer: Pointer | null,
  isMoved: boolean,
): GuardResult {
  if (pointer === null) return notReached(id, name);
  if (isMoved && fact === 'work_dir') {
    const elsewhere = 'The conversation moved here from the work directory of another host.';
    return {
      id,
      name,
      state: 'not_checked',
      passed: null,
      compared: {},
      unknown: { [fact]: elsewhere },
    };
  }
  const why = isKnown(pointer)
    ? 'The runner checks this right before it starts the process.'
    : 'The runner that held the conversation did not report this.';
  return { id, name, state: 'not_checked', passed: null, compared: {}, unknown: { [fact]: why } };
}

function stopped(
  stop: Stop,
  request: ResumeRequest,
  shared: Pick<ResumeDecision, 'guards' | 'context' | 'retirePointer' | 'newCliSessionId'>,
): ResumeDecision {
  const decided = { ...shared, reason: stop.reason, advisories: [] };
  switch (stop.to) {
    case 'fresh':
      return { mode: 'fresh', ...decided };
    case 'refuse':
      return { mode: 'refuse', ...decided };
    case 'wait':
      return { mode: 'wait', waitMs: waitMs(request), ...decided };
    case 'carry':
    case 'reconcile': {
      // Nothing replaces a session's own conversation. Without it, the caller decides on a retry.
      if (continuesItself(request.purpose)) return { mode: 'refuse', ...decided };
      // A start with a predecessor must carry over something from it.
      if (!request.source?.hasCarrier) {
        return { mode: 'refuse', ...decided, reason: 'NOTHING_TO_CARRY' };
      }
      return { mode: stop.to === 'reconcile' ? 'reconcile' : request.carrier, ...decided };
    }
  }
}

function waitMs(request: ResumeRequest): number {
  return request.waitLeftMs > 0 ? Math.min(WAIT_STEP_MS, request.waitLeftMs) : WAIT_STEP_MS;
}

/**
 * Returns the context use: the last turn's context divided by the window of the model that
 * continues. Tokens summed over turns would count the same context once per turn.
 */
export function contextUse(
  pointer: Pick<Pointer, 'contextTokens' | 'cumulativeTokens'> | null,
  runtime: Pick<Runtime, 'contextWindow'>,
  policy: Pick<ResumePolicy, 'smallestWindow' | 'threshold'>,
): ContextUse {
  const windowTokens = runtime.contextWindow ?? policy.smallestWindow;
  const usedTokens = pointer?.contextTokens ?? null;
  return {
    usedTokens,
    cumulativeTokens: pointer?.cumulativeTokens ?? null,
    windowTokens,
    isWindowKnown: runtime.contextWindow !== null,
    share: usedTokens === null ? null : usedTokens / windowTokens,
    threshold: policy.threshold.share,
    thresholdSource: policy.threshold.source,
  };
}

/** How long the provider caches a prompt's prefix, approximately, in seconds. */
const CACHE_SECONDS = 300;

function advisories({ request, policy, now }: GuardInput, pointer: Pointer): Advisory[] {
  const ageSeconds = (now.getTime() - pointer.createdAt.getTime()) / 1_000;
  const edge = modelEdge(pointer.model, request.model, policy);
  const given: [boolean, Advisory][] = [
    [ageSeconds > policy.staleFactsSeconds, 'STALE_FACTS'],
    [edge !== 'same', 'MODEL_CHANGED'],
    [edge === 'unproven', 'MODEL_EDGE_UNPROVEN'],
    [edge !== 'same' || ageSeconds > CACHE_SECONDS, 'CACHE_COLD'],
  ];
  return given.filter(([holds]) => holds).map(([, advisory]) => advisory);
}
