import { agentLabel, findAgent } from '@/lib/agents/registry';
import { canaryOf, cliVersionOf, confinementOf, testsCanaries } from '@/lib/fleet/capabilities';
import { confinementProblem } from '@/lib/fleet/confinement';
import type { RunnerDto } from '@/lib/fleet/schema';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { Isolation } from '@/lib/protocol/confinement';
import type { Tier } from '@/lib/protocol/spec';
import type { UnconfinedFact, UnprovenFact } from '../start-policy/facts';

/** A runner of the pool, as far as the start of one attempt is concerned. */
export interface PoolHost {
  id: string;
  name: string;
  status: RunnerDto['status'];
  allowsTier: boolean;
  /** Its version can't parse such a start. */
  isTooOld: boolean;
  /** The version of its agent's CLI is on a denylist. */
  isCliDenied: boolean;
  /** False: the project is confined, and its host can't confine agents. */
  canConfine: boolean;
  /** What its agent has still to prove for this start; null: nothing. */
  unproven: UnprovenFact | null;
}

const HELD: Partial<Record<RunnerDto['status'], string>> = {
  draining: 'is drained',
  paused: 'is paused',
  revoked: 'is revoked',
};

/**
 * Returns what keeps a host from starting the attempt until a person acts or the host is back, as the
 * end of a sentence; null: nothing. A canary that has not ended keeps it for seconds.
 */
export function obstacleOf(host: PoolHost): string | null {
  const { status, allowsTier, isTooOld, isCliDenied, canConfine, unproven } = host;
  if (status !== 'online') return HELD[status] ?? 'is offline';
  if (!allowsTier) return 'doesn’t allow the tier';
  if (isTooOld) return 'is too old for it';
  if (isCliDenied) return 'has a denied version of the agent’s CLI';
  if (!canConfine) return 'can’t confine agents';
  return unproven !== null && unproven.detail !== null ? 'hasn’t passed the canary' : null;
}

/** Returns whether a host may start the attempt, now or once its canary has passed. */
export function isFit(host: PoolHost): boolean {
  return obstacleOf(host) === null;
}

/** Returns whether a host may start the attempt now. */
export function isAble(host: PoolHost): boolean {
  return isFit(host) && host.unproven === null;
}

/**
 * Returns why a tier above 1 must not start on a runner yet: the agent there has not proven, in its
 * version, that it refuses forbidden commands. Null if it has, or can't be tested. A runner from
 * before canaries proves nothing.
 */
export function unprovenFact(
  tier: Tier,
  isolation: Isolation,
  harness: string,
  runner: { name: string; capabilities: unknown },
): UnprovenFact | null {
  if (tier === 1) return null;
  const about = {
    runner: runner.name,
    agent: `${agentLabel(harness)} ${cliVersionOf(runner.capabilities, harness) ?? ''}`.trim(),
  };
  if (findAgent(harness)?.canBeProven && !testsCanaries(runner.capabilities, harness)) {
    return { ...about, detail: 'The runner is too old to test it.', isRunnerTooOld: true };
  }
  const canary = canaryOf(runner.capabilities, harness, isolation);
  if (canary === null || canary.state === 'passed') return null;
  return {
    ...about,
    detail: canary.state === 'failed' ? (canary.detail ?? 'It failed.') : null,
  };
}

/** A runner that can't confine an agent that has to be confined, as sentences. */
export type MissingIsolation = Pick<UnconfinedFact, 'runner' | 'why' | 'fix'>;

/** Returns how an agent starts for which several configurations count: confined if one says so. */
export function strictest(configs: readonly Pick<ProjectConfig, 'isolation'>[]): Isolation {
  return configs.some(({ isolation }) => isolation === 'confined') ? 'confined' : 'open';
}

/**
 * Returns why a runner can't confine an agent that one of the configurations confines; null if
 * nothing is missing. A runner that doesn't know about isolation would run the agent without it.
 */
export function missingIsolation(
  configs: readonly Pick<ProjectConfig, 'isolation'>[],
  runner: { name: string; capabilities: unknown },
): MissingIsolation | null {
  const isConfined = strictest(configs) === 'confined';
  const problem = isConfined ? confinementProblem(confinementOf(runner.capabilities)) : null;
  return problem && { runner: runner.name, why: problem.why, fix: problem.fix };
}

/**
 * Returns what follows where a runner that claims work can't confine it: a runner of its pool that can
 * starts it instead, unless it has to continue on the host of its conversation.
 *
 * @param hosts the runners of the pool that aren't revoked
 */
export function unconfinedFact(
  missing: MissingIsolation,
  hosts: readonly PoolHost[],
  { continuesConversation }: { continuesConversation: boolean },
): UnconfinedFact {
  const able = hosts.filter(isFit).map(({ name }) => name);
  if (able.length > 0 && !continuesConversation) {
    return { ...missing, elsewhere: able, others: null };
  }
  const others =
    able.length > 0
      ? `It can’t move to ${named(able)}, because it continues a conversation that is on ${missing.runner}.`
      : obstaclesSentence(hosts);
  return { ...missing, elsewhere: [], others };
}

function obstaclesSentence(hosts: readonly PoolHost[]): string | null {
  const known = hosts.flatMap((host) => {
    const obstacle = host.canConfine ? obstacleOf(host) : null;
    return obstacle === null ? [] : `${host.name} ${obstacle}`;
  });
  if (known.length === 0) return null;
  return `Others of its pool can confine agents, but ${known.join(', and ')}.`;
}

function named(runners: readonly string[]): string {
  return `runner ${runners.join(' or ')}`;
}
