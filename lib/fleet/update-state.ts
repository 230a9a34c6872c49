import type { Capabilities } from '@/lib/protocol/schema';
import type { RunnerUpdate } from './schema';

interface UpdateFacts {
  updateRequestedAt: Date | null;
  updateStartedAt: Date | null;
  updateFailure: string | null;
  updateFailedAt: Date | null;
}

/**
 * Returns whether a runner can be updated from here, and how far it is.
 *
 * @param current checksum of the file that this installation serves; null if there is none
 */
export function updateOf(
  facts: UpdateFacts,
  capabilities: Capabilities | null,
  current: string | null,
): RunnerUpdate {
  const obstacle = updateObstacle(capabilities, current);
  const isAvailable = obstacle === null && capabilities?.program?.sha256 !== current;
  const shared = {
    isAvailable,
    obstacle,
    requestedAt: facts.updateRequestedAt?.toISOString() ?? null,
    failedAt: facts.updateFailedAt?.toISOString() ?? null,
    failure: facts.updateFailure,
  };
  if (facts.updateStartedAt) return { ...shared, state: 'running' };
  if (facts.updateRequestedAt) return { ...shared, state: 'waiting' };
  return { ...shared, state: facts.updateFailure === null ? 'none' : 'failed' };
}

/** Returns why a runner can't replace its own program, and what to do instead; null if it can. */
function updateObstacle(capabilities: Capabilities | null, current: string | null): string | null {
  if (capabilities === null) return 'It hasn’t connected yet.';
  switch (capabilities.program?.kind) {
    case 'file':
      return current === null
        ? 'This installation has no runner file to offer. Its operator builds it with: node scripts/bundle.mjs'
        : null;
    case 'checkout':
      return 'It runs from a checkout, which is updated on its host: git pull, npm ci, restart. To update from here, connect the host with the command of Add runner.';
    case 'container':
      return 'It runs in a container, which is replaced as a whole: build the new image and start it.';
    case undefined:
      return `Version ${capabilities.runnerVersion} can’t update itself. Update it on its host once.`;
  }
}
