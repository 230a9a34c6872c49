/**
 * Guards about the start itself: whether it may happen at all, and whether it has a predecessor.
 */
import { denialOf } from '@/lib/fleet/denied-versions';
import { START_PURPOSES } from '../schema';
import type { GuardInput } from './guard';
import { firstOf, type Guard } from './guard';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Purposes that continue something, and so need a predecessor. */
const NEEDS_SOURCE = ['escalate', 'reconcile', 'continue', 'approval'];

const input: Guard = {
  id: 'G0',
  name: 'The facts are complete and well formed',
  check: (facts) => {
    const problem = inputProblem(facts);
    return firstOf({ problem }, [[problem !== null, { to: 'refuse', reason: 'INPUT_INVALID' }]]);
  },
};

function inputProblem({ request, pointer, runtime, policy, now }: GuardInput): string | null {
  const { share } = policy.threshold;
  // Tiers and turns continue their own conversation.
  const isTurn =
    request.purpose === 'follow_up' || (request.purpose === 'continue' && request.agent !== null);
  const problems: [boolean, string][] = [
    [!START_PURPOSES.includes(request.purpose), 'purpose'],
    [!UUID.test(request.newCliSessionId), 'newCliSessionId'],
    [!Number.isInteger(request.attemptNumber) || request.attemptNumber < 1, 'attemptNumber'],
    [!isAmount(request.waitLeftMs), 'waitLeftMs'],
    [NEEDS_SOURCE.includes(request.purpose) && request.source === null, 'source'],
    [request.purpose === 'cycle' && request.source !== null, 'source'],
    [isTurn === (request.agent === null), 'agent'],
    [isTurn === (request.historyEpoch === null), 'historyEpoch'],
    [!isTurn && request.chainId === null, 'chainId'],
    [isTurn && request.carrier !== 'transcript', 'carrier'],
    [!(share > 0 && share <= 1), 'threshold'],
    [!isAmount(policy.smallestWindow) || policy.smallestWindow === 0, 'smallestWindow'],
    [runtime.contextWindow !== null && !(runtime.contextWindow > 0), 'contextWindow'],
    [Number.isNaN(now.getTime()), 'now'],
  ];
  if (pointer) {
    const { cliSessionId, contextTokens } = pointer;
    problems.push(
      [cliSessionId !== null && !UUID.test(cliSessionId), 'pointer.cliSessionId'],
      [cliSessionId === request.newCliSessionId, 'pointer.cliSessionId'],
      [contextTokens !== null && !isAmount(contextTokens), 'pointer.contextTokens'],
      [!isAmount(pointer.failures) || !isAmount(pointer.depth), 'pointer.counters'],
      [Number.isNaN(pointer.createdAt.getTime()), 'pointer.createdAt'],
    );
  }
  return problems.find(([isWrong]) => isWrong)?.[1] ?? null;
}

function isAmount(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}

const tenancy: Guard = {
  id: 'G1',
  name: 'The conversation belongs to this organization and project',
  check: ({ request, pointer }) => {
    const sameOrganization = pointer === null || pointer.organizationId === request.organizationId;
    const sameProject = pointer === null || pointer.projectId === request.projectId;
    return firstOf({ sameOrganization, sameProject }, [
      [!sameOrganization, { to: 'refuse', reason: 'TENANT_MISMATCH' }],
      [!sameProject, { to: 'refuse', reason: 'PROJECT_MISMATCH' }],
    ]);
  },
};

const standing: Guard = {
  id: 'G2',
  name: 'The start is allowed and attempts are left',
  check: ({ request, policy }) => {
    const { deniedBecause, attemptNumber } = request;
    const compared = {
      denied: deniedBecause !== null,
      attemptNumber,
      maxAttempts: policy.maxAttempts,
    };
    return firstOf(compared, [
      [deniedBecause !== null, { to: 'refuse', reason: 'POLICY_DENIED' }],
      [attemptNumber > policy.maxAttempts, { to: 'refuse', reason: 'ATTEMPTS_SPENT' }],
    ]);
  },
};

const cliVersion: Guard = {
  id: 'G23',
  name: "This version of the agent's CLI is allowed",
  check: ({ runtime, policy: { deniedCliVersions } }) => {
    const version = runtime.cliVersion;
    const denial = denialOf(version, deniedCliVersions);
    const { installation, organization } = deniedCliVersions;
    return firstOf(
      {
        cliVersion: version,
        deniedByInstallation: installation.join(', ') || 'none',
        deniedByOrganization: organization.join(', ') || 'none',
      },
      // It waits for another runner, or for another version on this one.
      [[denial !== null, { to: 'wait', reason: 'CLI_DENYLISTED' }]],
      { cliVersion: version === null && 'The runner has not reported this.' },
    );
  },
};

const cycle: Guard = {
  id: 'G3',
  name: 'It is not the first session of a chain',
  check: ({ request }) =>
    firstOf({ purpose: request.purpose }, [
      [request.purpose === 'cycle', { to: 'fresh', reason: 'CYCLE_ALWAYS_FRESH' }],
    ]),
};

const predecessor: Guard = {
  id: 'G4',
  name: 'There is an earlier session',
  check: ({ request }) => {
    const hasPredecessor = request.source !== null;
    return firstOf({ purpose: request.purpose, hasPredecessor }, [
      [
        !hasPredecessor && request.purpose === 'manual',
        { to: 'fresh', reason: 'MANUAL_NEW_CHAIN' },
      ],
      [!hasPredecessor && request.purpose === 'follow_up', { to: 'fresh', reason: 'FIRST_TURN' }],
      [!hasPredecessor, { to: 'fresh', reason: 'FIRST_TIER_RETRY' }],
    ]);
  },
};

export const STANDING_GUARDS: readonly Guard[] = [input, tenancy, standing, cliVersion];
export const PREDECESSOR_GUARDS: readonly Guard[] = [cycle, predecessor];
