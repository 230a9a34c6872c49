/** Asks a public URL once from the control plane, for the first look at a new service. */

import { env } from '@/lib/platform/env';
import { createOutboundClient } from '@/lib/platform/outbound-http/client';
import type { CheckSpec } from '@/lib/protocol/spec';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 4_096;
const SHOWN_CHARACTERS = 400;

export type TargetTest =
  | { kind: 'answered'; status: number; durationMs: number; address: string; excerpt: string }
  /** It was asked and gave no answer. */
  | { kind: 'failed'; message: string };

/** Null for what only a host in the network of the target can check: a runner. */
export async function testTarget(check: CheckSpec): Promise<TargetTest | null> {
  if (check.type !== 'http') return null;
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
    return null;
  }
  return { kind: 'failed', message: answer.message };
}
