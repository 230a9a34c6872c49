import type { Canary } from '@/lib/protocol/canary';
import type { Confinement, Isolation } from '@/lib/protocol/confinement';
import { type Capabilities, capabilitiesSchema, RUNNER_VERSION } from '@/lib/protocol/schema';
import type { StartSpec } from '@/lib/protocol/spec';
import { confinementProblem } from './confinement';

/** Returns the version that a runner reported for a harness; null before its first heartbeat. */
export function cliVersionOf(capabilities: unknown, harness: string): string | null {
  return harnessOf(capabilities, harness)?.version ?? null;
}

export function fingerprintOf(capabilities: unknown, harness: string): string | null {
  return harnessOf(capabilities, harness)?.fingerprint ?? null;
}

/**
 * Returns a fingerprint of the provider's account that the runner's agent uses; null if it isn't
 * reported.
 */
export function accountOf(capabilities: unknown, harness: string): string | null {
  return harnessOf(capabilities, harness)?.account ?? null;
}

/** Returns the agent that a start is evaluated for, as its runner last reported it. */
export function evaluatedAgent(capabilities: unknown, harness: string): StartSpec['agent'] {
  return {
    fingerprint: fingerprintOf(capabilities, harness),
    account: accountOf(capabilities, harness),
  };
}

/**
 * Returns whether the runner's program can continue a conversation in a fork; true if it isn't
 * reported.
 */
export function canResumeOf(capabilities: unknown, harness: string): boolean {
  return harnessOf(capabilities, harness)?.canResume ?? true;
}

/**
 * Returns whether the runner can parse the start of a conversation's turn; false if it isn't
 * reported.
 */
export function canAskOf(capabilities: unknown): boolean {
  return capabilitiesSchema.safeParse(capabilities).data?.canAsk === true;
}

/**
 * Returns whether the runner sends its conversations to be kept, and can continue those of other
 * hosts; false if it isn't reported.
 */
export function canSealOf(capabilities: unknown): boolean {
  return capabilitiesSchema.safeParse(capabilities).data?.canSeal === true;
}

/**
 * Returns whether the runner holds commands of ask-first rules until people have decided; false if it
 * isn't reported.
 */
export function canHoldCommandsOf(capabilities: unknown): boolean {
  return capabilitiesSchema.safeParse(capabilities).data?.canHoldCommands === true;
}

/** Returns which checks the runner performs: see CHECK_REVISION. 1 if it isn't reported. */
export function checkRevisionOf(capabilities: unknown): number {
  return capabilitiesSchema.safeParse(capabilities).data?.checkRevision ?? 1;
}

/** Returns whether the runner can confine agents; null if it isn't reported. */
export function confinementOf(capabilities: unknown): Confinement | null {
  return capabilitiesSchema.safeParse(capabilities).data?.confinement ?? null;
}

/**
 * Returns whether an agent of a confined project is confined on the runner, as last reported.
 */
export function confinesAgent(capabilities: unknown, harness: string): boolean {
  const isPossible = confinementProblem(confinementOf(capabilities)) === null;
  return isPossible && harnessOf(capabilities, harness)?.canBeConfined !== false;
}

/** Returns whether one of a pool's runners can confine agents, as last reported. */
export function canConfineOn(runners: readonly { capabilities: unknown }[]): boolean {
  return runners.some(
    ({ capabilities }) => confinementProblem(confinementOf(capabilities)) === null,
  );
}

/**
 * Returns whether an agent has proven on the runner that it refuses forbidden commands, as it would start
 * in a project of this isolation; null if the runner doesn't report it, or its agent has no model.
 */
export function canaryOf(
  capabilities: unknown,
  harness: string,
  isolation: Isolation,
): Canary | null {
  const canaries = harnessOf(capabilities, harness)?.canaries ?? [];
  return canaries.find(({ mode }) => mode === isolation) ?? null;
}

/** Returns whether an agent has passed a canary since the capabilities before, in its version and mode. */
export function hasNewProof(before: unknown, after: Capabilities): boolean {
  const known = capabilitiesSchema.safeParse(before).data?.harnesses.flatMap(provenModes) ?? [];
  return after.harnesses.flatMap(provenModes).some((each) => !known.includes(each));
}

function provenModes({
  name,
  fingerprint,
  canaries = [],
}: Capabilities['harnesses'][number]): string[] {
  const passed = canaries.filter(({ state }) => state === 'passed');
  return passed.map(({ mode }) => [name, fingerprint, mode].join(' '));
}

/**
 * Returns whether the runner tests the agent with a canary; false if it knows the agent and doesn't
 * report any.
 */
export function testsCanaries(capabilities: unknown, harness: string): boolean {
  const reported = harnessOf(capabilities, harness);
  return reported === undefined || reported.canaries !== undefined;
}

/** Returns the runner's folder for projects; null if it isn't reported. */
export function projectsDirOf(capabilities: unknown): string | null {
  const parsed = capabilitiesSchema.safeParse(capabilities);
  return parsed.success ? (parsed.data.projectsDir ?? null) : null;
}

function harnessOf(capabilities: unknown, harness: string) {
  const parsed = capabilitiesSchema.safeParse(capabilities);
  return parsed.success ? parsed.data.harnesses.find((each) => each.name === harness) : undefined;
}

/**
 * Says why none of these runners of a pool (at least one) can run a turn, and what to do about it.
 */
export function tooOldToAsk(
  pool: string,
  runners: readonly { name: string; capabilities: unknown }[],
): string {
  const named = runners.map(({ name, capabilities }) => {
    const version = capabilitiesSchema.safeParse(capabilities).data?.runnerVersion;
    return version ? `${name} (version ${version})` : name;
  });
  const [are, them, their] = runners.length === 1 ? ['is', 'it', 'its'] : ['are', 'them', 'their'];
  return `${named.join(', ')} in pool ${pool} ${are} too old to answer questions. Drain ${them}, update ${their} checkout (git pull, npm ci) to ${RUNNER_VERSION} and start ${them} again.`;
}
