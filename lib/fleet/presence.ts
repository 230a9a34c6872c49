import { recordPresence } from '@/lib/platform/health';
import { logger } from '@/lib/platform/logger';
import { PRESENCE_GAP_SECONDS, RUNNER_API } from './status';

/** Records every few seconds that this process serves the runner API. */
export function startPresence(): void {
  const beat = () => {
    recordPresence(RUNNER_API, PRESENCE_GAP_SECONDS).catch((error) =>
      logger.warn({ error: String(error) }, 'the runner API could not say that it is there'),
    );
  };
  beat();
  setInterval(beat, PRESENCE_EVERY_SECONDS * 1_000).unref();
}

/** How often a web process records its presence, in seconds. */
export const PRESENCE_EVERY_SECONDS = 5;
