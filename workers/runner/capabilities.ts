/** What this host offers, reported with every heartbeat. */

import { existsSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import path from 'node:path';
import type { Agent } from '@/lib/agents/agent';
import { CHECK_REVISION } from '@/lib/protocol/checks/revision';
import { type Capabilities, RUNNER_VERSION } from '@/lib/protocol/schema';
import type { HarnessName } from '@/lib/protocol/spec';
import type { AgentHost, Agents } from './attempt/agents';
import type { Canaries } from './canary/canaries';
import type { AttemptLimits } from './process/limits';
import type { ProgramUpdates } from './self-update';

export function currentCapabilities(options: {
  harnesses: Record<HarnessName, Agent>;
  agents: Agents;
  canaries: Pick<Canaries, 'of'>;
  slots: number;
  containment: Capabilities['containment'];
  limits: Capabilities['limits'];
  confinement: Capabilities['confinement'];
  door: Capabilities['door'];
  keySource: Capabilities['keySource'];
  projectsDir: string;
  updates: ProgramUpdates | null;
}): Capabilities {
  const user = userInfo();
  return {
    runnerVersion: RUNNER_VERSION,
    hostname: hostname(),
    platform: `${process.platform}-${process.arch}`,
    user: user.username,
    isRoot: user.uid === 0,
    containment: options.containment,
    limits: options.limits,
    confinement: options.confinement,
    slots: options.slots,
    door: options.door,
    keySource: options.keySource,
    projectsDir: options.projectsDir,
    checkRevision: CHECK_REVISION,
    canTestChecks: true,
    canRunChecks: true,
    canAsk: true,
    canSeal: true,
    canHoldCommands: true,
    program: options.updates
      ? { kind: options.updates.kind, sha256: options.updates.sha256 }
      : { kind: kindOfInstallation(import.meta.dirname, existsSync), sha256: null },
    harnesses: Object.values(options.harnesses).map((agent) => ({
      ...offer(agent, options.agents.get(agent.name)),
      canaries: options.canaries.of(agent.name),
    })),
  };
}

/**
 * @param inCgroup what the host's cgroups limit; null if there are none
 * @param inSandbox how many processes a sandbox allows itself; null if it doesn't limit them
 */
export function reportedLimits(
  inCgroup: AttemptLimits | null,
  inSandbox: number | null,
): NonNullable<Capabilities['limits']> {
  const memoryMb = inCgroup?.memoryMb ?? null;
  if (inCgroup?.processes) return { processes: inCgroup.processes, of: 'agents', memoryMb };
  return { processes: inSandbox, of: inSandbox === null ? 'none' : 'sandboxes', memoryMb };
}

/** Returns what keeps agents with a model from starting here, and what to do about it. */
export function agentObstacles(harnesses: Record<HarnessName, Agent>, agents: Agents): string[] {
  return Object.values(harnesses).flatMap((agent) => {
    const { isUsable, problem } = offer(agent, agents.get(agent.name));
    if (!agent.hasModel || isUsable) return [];
    return [`${agent.label} can't start here. ${problem} ${agent.program.installAdvice}`];
  });
}

function offer({ name, program }: Agent, host: AgentHost): Capabilities['harnesses'][number] {
  const { version, fingerprint, canResume, startError, account, provider } = host;
  const obstacle = startError?.message ?? host.obstacle;
  const untested = version === null ? null : program.untestedVersion(version);
  const isUsable = obstacle === null;
  return {
    name,
    version,
    fingerprint,
    isUsable,
    problem: obstacle ?? untested,
    canResume,
    canBeConfined: provider.kind !== 'direct',
    account,
  };
}

/**
 * Returns how a runner without a file of its own is updated. Docker and Podman leave a file in every
 * container. Our image has no Git folder; a checkout that runs in a container has one.
 *
 * @param folder where the runner's code is
 */
export function kindOfInstallation(
  folder: string,
  exists: (path: string) => boolean,
): 'container' | 'checkout' {
  const isContainer = exists('/.dockerenv') || exists('/run/.containerenv');
  return isContainer && !isInCheckout(folder, exists) ? 'container' : 'checkout';
}

function isInCheckout(folder: string, exists: (path: string) => boolean): boolean {
  if (exists(path.join(folder, '.git'))) return true;
  const above = path.dirname(folder);
  return above !== folder && isInCheckout(above, exists);
}
