import { postureSchema } from '@/lib/protocol/schema';
import { RUNNER_VERSION } from '@/lib/protocol/version';

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
