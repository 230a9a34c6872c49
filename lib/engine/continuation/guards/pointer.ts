/**
 * Guards about the pointer: whether there is a conversation, whether it is the newest, and whether
 * it is still valid.
 */

import { FALLBACK_REASONS, type ResumeReason } from '../reasons';
import { continuesItself, type Pointer, type ResumeRequest, type RetiredFor } from '../schema';
import { carry, firstOf, type Guard, type GuardOutcome, pointerGuard } from './guard';

const capability: Guard = {
  id: 'G8',
  name: 'Resuming is enabled for this step and the CLI supports it',
  check: ({ request, runtime }) => {
    const { edgeMode } = request;
    const { canResume } = runtime;
    return firstOf({ edgeMode, canResume }, [
      [edgeMode === 'handoff', carry('RESUME_DISABLED')],
      [!canResume, carry('CAP_ABSENT')],
    ]);
  },
};

const existence: Guard = {
  id: 'G9',
  name: 'The conversation was recorded and confirmed',
  check: ({ pointer }) => {
    const hasId = pointer !== null && pointer.cliSessionId !== null;
    const isConfirmed = pointer?.isConfirmed ?? false;
    return firstOf({ hasPointer: pointer !== null, hasId, isConfirmed }, [
      [pointer === null, carry('NO_POINTER')],
      [!hasId, carry('POINTER_INCOMPLETE')],
      [!isConfirmed, carry('POINTER_UNCONFIRMED')],
    ]);
  },
};

const taint = pointerGuard(
  'G24',
  'A higher tier may read what the conversation holds',
  ({ request, pointer, policy }) => {
    const { isTainted } = pointer;
    const { taintedConversation } = policy;
    const isHigher = request.tier > pointer.tier;
    return firstOf({ isTainted, isHigher, taintedConversation }, [
      [isTainted && isHigher && taintedConversation === 'handoff', carry('TAINTED')],
    ]);
  },
);

const RETIRED: Record<RetiredFor, ResumeReason> = {
  ...FALLBACK_REASONS,
  other: 'POINTER_RETIRED',
};

const health = pointerGuard(
  'G10',
  'The conversation has not been abandoned',
  ({ pointer, policy }) => {
    const { retiredFor, failures, depth } = pointer;
    const compared = {
      retiredFor,
      failures,
      maxFailures: policy.maxFailures,
      depth,
      maxDepth: policy.maxDepth,
    };
    return firstOf(compared, [
      [retiredFor !== null, carry(RETIRED[retiredFor ?? 'other'], { retires: true })],
      [failures >= policy.maxFailures, carry('FAILURE_CAP', { retires: true })],
      [depth >= policy.maxDepth, carry('DEPTH_CAP', { retires: true })],
    ]);
  },
);

const ended: Guard = {
  id: 'G11',
  name: 'The session that held the conversation has ended',
  check: ({ request }) => {
    const hasEnded = request.source?.hasEnded ?? true;
    const { waitLeftMs } = request;
    return firstOf({ hasEnded, waitLeftMs }, [
      [!hasEnded && waitLeftMs > 0, { to: 'wait', reason: 'OWNER_RUNNING' }],
      [!hasEnded, carry('OWNER_WAIT_EXPIRED')],
    ]);
  },
};

const order = pointerGuard(
  'G12',
  'The earlier session can be continued here',
  ({ request, pointer }) =>
    request.agent === null ? chainOrder(request, pointer) : turnOrder(request, pointer),
);

function chainOrder(request: ResumeRequest, pointer: Pointer): GuardOutcome {
  const isOwn = continuesItself(request.purpose);
  const isInChain = isOwn || request.purpose === 'escalate' || request.purpose === 'retry';
  const isTiers = pointer.agent === null;
  const sameChain = pointer.chainId === request.chainId;
  const compared = { isTiers, sameChain, parentTier: pointer.tier, tier: request.tier };
  return firstOf(compared, [
    [!isTiers, carry('AGENT_CHANGED')],
    [isInChain && !sameChain, carry('SOURCE_NOT_IN_CHAIN')],
    [isInChain && request.tier !== pointer.tier + (isOwn ? 0 : 1), carry('TIER_ORDER')],
  ]);
}

/** A tier's conversation belongs to no agent: the first turn about its chain continues it. */
function turnOrder(request: ResumeRequest, pointer: Pointer): GuardOutcome {
  const isTurns = pointer.agent !== null;
  const sameChain = isTurns || (pointer.chainId !== null && pointer.chainId === request.chainId);
  const sameAgent = !isTurns || pointer.agent === request.agent;
  return firstOf({ isTurns, sameChain, sameAgent }, [
    [!sameChain, carry('SOURCE_NOT_IN_CHAIN')],
    [!sameAgent, carry('AGENT_CHANGED')],
  ]);
}

const fallback: Guard = {
  id: 'G13',
  name: 'This session has neither fallen back nor been continued before',
  check: ({ request: { purpose, hasFallenBack, hasContinued } }) =>
    firstOf({ hasFallenBack, hasContinued }, [
      [hasFallenBack, carry('FALLBACK_KEPT')],
      [purpose === 'continue' && hasContinued, { to: 'refuse', reason: 'CONTINUE_SPENT' }],
    ]),
};

const epoch = pointerGuard('G14', 'The history is unchanged', ({ request, pointer }) => {
  const { historyEpoch } = request;
  // A chain that has ended doesn't change, so only a turn's conversation can be outdated.
  const isChanged = pointer.agent !== null && pointer.historyEpoch !== historyEpoch;
  const compared = {
    epoch: request.epoch,
    parentEpoch: pointer.epoch,
    historyEpoch,
    parentHistoryEpoch: pointer.historyEpoch,
  };
  return firstOf(compared, [
    [isChanged, carry('HISTORY_CHANGED')],
    [pointer.epoch !== request.epoch, carry('EPOCH_BASE')],
  ]);
});

const CLOCK_TOLERANCE_SECONDS = 60;

const age = pointerGuard('G15', 'The conversation has not expired', ({ pointer, policy, now }) => {
  const ageSeconds = Math.floor((now.getTime() - pointer.createdAt.getTime()) / 1_000);
  return firstOf({ ageSeconds, ttlSeconds: policy.pointerTtlSeconds }, [
    [ageSeconds < -CLOCK_TOLERANCE_SECONDS, carry('CLOCK_SKEW', { retires: true })],
    [ageSeconds > policy.pointerTtlSeconds, carry('EXPIRED', { retires: true })],
  ]);
});

export const POINTER_GUARDS: readonly Guard[] = [
  capability,
  existence,
  taint,
  health,
  ended,
  order,
  fallback,
  epoch,
  age,
];
