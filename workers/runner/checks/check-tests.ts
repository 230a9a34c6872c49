/** Checks that people try from the settings: run at once, beside whatever else is at work. */

import { logger } from '@/lib/platform/logger';
import { resultFor } from '@/lib/protocol/checks/revision';
import { runCheck } from '@/lib/protocol/checks/run-check';
import type { Directive } from '@/lib/protocol/schema';
import type { ControlPlane } from '../control-plane/client';
import type { CheckCommands } from './check-commands';

type CheckDirective = Extract<Directive, { kind: 'check' }>;

/** @returns the handler of a directive; a directive that is repeated while it runs has no effect */
export function createCheckTests(
  controlPlane: Pick<ControlPlane, 'sendCheckTest'>,
  commands: Pick<CheckCommands, 'of'>,
) {
  const running = new Set<string>();
  return async ({ testId, service, check, checkRevision }: CheckDirective): Promise<void> => {
    if (running.has(testId)) return;
    running.add(testId);
    try {
      const found = resultFor(
        checkRevision,
        await runCheck(check, service, null, commands.of(null)),
      );
      const { status, error, responseTimeMs, facts } = found;
      await controlPlane.sendCheckTest(testId, { status, error, responseTimeMs, facts });
    } catch (error) {
      logger.warn({ error: String(error) }, 'check test failed to report');
    } finally {
      running.delete(testId);
    }
  };
}
