/** Asks a URL once from the control plane, for the first look at a new service. */

import { env } from '@/lib/platform/env';
import { createOutboundClient } from '@/lib/platform/outbound-http/client';
import { checkOfTarget } from './check-of-target';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 4_096;
const SHOWN_CHARACTERS = 400;

export type TargetTest =
  | { kind: 'answered'; status: number; durationMs: number; address: string; excerpt: string }
  /** It was asked and gave no answer. */
  | { kind: 'failed'; message: string }
  /** Only the runner's host can tell. */
  | { kind: 'runner_only'; message: string };

/**
 * Targets in the runner's network are checked by the runner; here only public URLs are requested.
 */
export async function testTarget(target: string): Promise<TargetTest> {
  const check = checkOfTarget(target);
  if (check?.type !== 'http') {
    const message = 'The runner checks this from its own host, in the first chain.';
    return { kind: 'runner_only', message };
  }
  const client = createOutboundClient({ allowPrivate: env().allowPrivateTargets });
  const answer = await client.request({
    url: check.target,
    method: 'GET',
    headers: { 'user-agent': 'Tierwatch' },
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_BYTES,
  });
  if (answer.ok) {
    const { status, durationMs, address, bodyText } = answer;
    return {
      kind: 'answered',
      status,
      durationMs,
      address,
      excerpt: bodyText.slice(0, SHOWN_CHARACTERS),
    };
  }
  if (['private_address', 'metadata_address', 'http_not_allowed'].includes(answer.reason)) {
    const message = `${answer.message} The runner checks it from its own host, in the first chain.`;
    return { kind: 'runner_only', message };
  }
  return { kind: 'failed', message: answer.message };
}
