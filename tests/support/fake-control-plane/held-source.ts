/** Attempts from the fake control plane's own list, by a held request, in the place of a queue. */
import { request } from 'undici';
import type { AttemptSource } from '@/workers/runner/claim-loop';
import { RUNNER_KEY } from './fake-control-plane';

export function heldSource(url: string): AttemptSource {
  return {
    async next(signal) {
      try {
        const response = await request(`${url}/api/runner/v1/test-queue`, {
          headers: { authorization: `Bearer ${RUNNER_KEY}` },
          signal,
        });
        const { attemptId } = (await response.body.json()) as { attemptId: string | null };
        return attemptId === null ? null : { attemptId, done: async () => {} };
      } catch (error) {
        if (signal.aborted) return null;
        throw error;
      }
    },
    close: async () => {},
  };
}
