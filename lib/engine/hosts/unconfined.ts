import { confinementProblem } from '@/lib/fleet/confinement';
import { confinementOf } from '@/lib/fleet/posture';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { Isolation } from '@/lib/protocol/confinement';
import type { UnconfinedFact } from '../start-policy/facts';
import { isFit, obstacleOf, type PoolHost } from './pool-hosts';

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
  runner: { name: string; posture: unknown },
): MissingIsolation | null {
  const isConfined = strictest(configs) === 'confined';
  const problem = isConfined ? confinementProblem(confinementOf(runner.posture)) : null;
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
