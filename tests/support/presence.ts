import { PRESENCE_GAP_SECONDS, RUNNER_API, recordPresence as record } from '@/lib/platform/health';

/** Records that the runner API answered at a time. */
export function recordPresence(at?: Date): Promise<void> {
  return record(RUNNER_API, PRESENCE_GAP_SECONDS, at);
}
