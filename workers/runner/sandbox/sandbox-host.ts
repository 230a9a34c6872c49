/** Whether this host can confine agents, found out again while it runs: somebody may install what is missing. */
import { confinementText } from '@/lib/fleet/confinement';
import { logger } from '@/lib/platform/logger';
import type { Confinement } from '@/lib/protocol/confinement';
import { findSandbox, type SandboxProgram } from './confinement';
import { canLimitProcesses } from './process-limit';

export interface SandboxHost {
  readonly confinement: Confinement;
  /** Null while it can't confine. */
  readonly program: SandboxProgram | null;
  /** How many processes a sandbox allows its agent itself; null if it can't or need not limit them. */
  readonly maxProcesses: number | null;
  /** Cheap soon after the last time. */
  refresh(): Promise<void>;
}

const VALID_MS = 60_000;

/**
 * A test that failed on a busy host, after others had succeeded, says nothing about the next agent: its
 * own sandbox fails to start if it can't be made, and never starts it without one.
 */
function isPassing(now: SandboxProgram | Confinement): boolean {
  return !('file' in now) && ['unknown', 'namespaces_exhausted'].includes(now.cause ?? '');
}

type Found = SandboxProgram | Confinement;

function stateOf(found: Found): string {
  const { state, cause } = 'file' in found ? found.confinement : found;
  return `${state} ${cause}`;
}

/** For who reads the runner's own output. */
function tell(found: Found): void {
  const { state, why, fix } = confinementText('file' in found ? found.confinement : found);
  logger.info(why === '' ? {} : { why, fix }, `agents here: ${state.toLowerCase()}`);
}

/**
 * @param runnerDir the runner's own folder
 * @param wantedProcesses that sandboxes should allow; null if something else limits them
 */
export async function openSandboxHost(
  runnerDir: string,
  searchPath: string,
  wantedProcesses: number | null,
): Promise<SandboxHost> {
  let found = await findSandbox(runnerDir, searchPath);
  /** Null until it is found out; then it stays, since it depends on account and kernel. */
  let canLimit = await limitOf(found);
  let foundAt = performance.now();
  tell(found);

  async function limitOf(now: Found): Promise<boolean | null> {
    if (!('file' in now) || wantedProcesses === null) return null;
    return canLimitProcesses(now);
  }

  return {
    get confinement() {
      return 'file' in found ? found.confinement : found;
    },
    get program() {
      return 'file' in found ? found : null;
    },
    get maxProcesses() {
      return canLimit ? wantedProcesses : null;
    },
    async refresh() {
      if (performance.now() - foundAt < VALID_MS) return;
      foundAt = performance.now();
      try {
        const now = await findSandbox(runnerDir, searchPath);
        const kept = 'file' in found && isPassing(now) ? found : now;
        if (stateOf(kept) !== stateOf(found)) tell(kept);
        found = kept;
        canLimit ??= await limitOf(kept);
      } catch (error) {
        logger.warn({ error: String(error) }, 'confinement not tested');
      }
    },
  };
}
