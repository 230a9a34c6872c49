import { postureSchema, RUNNER_VERSION } from '@/lib/protocol/schema';
import type { StartSpec } from '@/lib/protocol/spec';

/** The version that a runner reported for a harness; null before its first heartbeat. */
export function cliVersionOf(posture: unknown, harness: string): string | null {
  return harnessOf(posture, harness)?.version ?? null;
}

export function fingerprintOf(posture: unknown, harness: string): string | null {
  return harnessOf(posture, harness)?.fingerprint ?? null;
}

/** Stands for the provider's account that a runner's agent uses; null where it doesn't report one. */
export function accountOf(posture: unknown, harness: string): string | null {
  return harnessOf(posture, harness)?.account ?? null;
}

/** The agent that a start is made for, as its runner last reported it. */
export function evaluatedAgent(posture: unknown, harness: string): StartSpec['agent'] {
  return { fingerprint: fingerprintOf(posture, harness), account: accountOf(posture, harness) };
}

/** Whether its program can continue a conversation in a fork; a runner that does not say can. */
export function canResumeOf(posture: unknown, harness: string): boolean {
  return harnessOf(posture, harness)?.canResume ?? true;
}

/** Whether it understands the start of a conversation's turn; one that does not say does not. */
export function canAskOf(posture: unknown): boolean {
  return postureSchema.safeParse(posture).data?.canAsk === true;
}

/** The runner's folder for projects; null where it has not named it. */
export function projectsDirOf(posture: unknown): string | null {
  const parsed = postureSchema.safeParse(posture);
  return parsed.success ? (parsed.data.projectsDir ?? null) : null;
}

function harnessOf(posture: unknown, harness: string) {
  const parsed = postureSchema.safeParse(posture);
  return parsed.success ? parsed.data.harnesses.find((each) => each.name === harness) : undefined;
}

/** Why these runners of a pool, one at least, can answer no question, and what to do about it. */
export function tooOldToAsk(
  pool: string,
  runners: readonly { name: string; posture: unknown }[],
): string {
  const named = runners.map(({ name, posture }) => {
    const version = postureSchema.safeParse(posture).data?.runnerVersion;
    return version ? `${name} (version ${version})` : name;
  });
  const [are, them, their] = runners.length === 1 ? ['is', 'it', 'its'] : ['are', 'them', 'their'];
  return `${named.join(', ')} of pool ${pool} ${are} too old to answer questions. Drain ${them}, update ${their} checkout (git pull, npm ci) to ${RUNNER_VERSION} and start ${them} again.`;
}
