/** Replaces the runner's program on request, between attempts. */
import { logger } from '@/lib/platform/logger';
import type { ControlPlane } from './control-plane/client';

/** How this host's program is replaced. */
export interface ProgramUpdates {
  kind: 'file';
  /** Of the file that this process runs. */
  sha256: string;
  /** Fetches, verifies and stores the program. @throws Error with a sentence for the runner's page */
  stage(sha256: string): Promise<void>;
  /** The staged program is started once this process has ended. */
  restartInto(sha256: string): void;
  /** An update that was taken back and isn't reported yet. */
  failure(): { sha256: string; reason: string } | null;
  forgetFailure(): void;
  /** The control plane has answered. */
  onOnline(): void;
}

interface SelfUpdateOptions {
  updates: ProgramUpdates | null;
  controlPlane: Pick<ControlPlane, 'reportUpdateFailure'>;
  /** Claims nothing more. Resolves once nothing more is started. */
  pause(): Promise<void>;
  /** Resolves once no attempt runs. */
  idle(): Promise<void>;
  /** Claims again, unless something else speaks against it. */
  resume(): Promise<void>;
  /** Ends this process. */
  stop(): void;
}

interface SelfUpdate {
  readonly isBusy: boolean;
  /** What the control plane requests now; null: nothing, and what it requested before is off. */
  request(sha256: string | null): void;
  /** Reports an update that was taken back. */
  reportFailure(): Promise<void>;
}

export function createSelfUpdate(options: SelfUpdateOptions): SelfUpdate {
  const { updates, controlPlane } = options;
  let requested: string | null = null;
  let isBusy = false;
  let isRestarting = false;

  async function update(program: ProgramUpdates): Promise<void> {
    await options.pause();
    await options.idle();
    const sha256 = requested;
    if (sha256 === null) return;
    try {
      await program.stage(sha256);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      logger.error({ sha256, reason }, 'runner update failed');
      await controlPlane.reportUpdateFailure({ sha256, reason });
      requested = null;
      return;
    }
    isRestarting = true;
    logger.info({ sha256 }, 'restarting into the new version');
    program.restartInto(sha256);
    options.stop();
  }

  return {
    get isBusy() {
      return isBusy;
    },
    request(sha256) {
      // A program that runs already was requested before its first heartbeat.
      requested = sha256 === updates?.sha256 ? null : sha256;
      if (requested === null || updates === null || isBusy) return;
      isBusy = true;
      update(updates)
        .catch((error) => logger.warn({ error: String(error) }, 'runner update not reported'))
        .then(() => {
          isBusy = isRestarting;
          return isBusy ? undefined : options.resume();
        })
        // A heartbeat asks again.
        .catch(() => {});
    },
    async reportFailure() {
      const failure = updates?.failure();
      if (!failure) return;
      await controlPlane.reportUpdateFailure(failure);
      updates?.forgetFailure();
    },
  };
}
