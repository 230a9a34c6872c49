import type { NextVersion } from '@/lib/insight/policy-preview/preview-policy';
import type { PolicyPreview } from '@/lib/insight/policy-preview/schema';

/** `canContinue`: what failed is the preview alone, so saving may work. */
export type PreviewAnswer = { preview: PolicyPreview } | { problem: string; canContinue: boolean };

/** The server gives up reading after 8 s. */
const TIMEOUT_MS = 20_000;

const NO_ANSWER: PreviewAnswer = { problem: 'The server didn’t answer.', canContinue: true };

/**
 * Loads what the next version changes about recent commands.
 *
 * @param root `/acme/projects/checkout`
 */
export async function loadPreview(
  root: string,
  { baseVersion, next }: { baseVersion: number; next: NextVersion },
  signal: AbortSignal,
): Promise<PreviewAnswer> {
  try {
    const answer = await fetch(`${root}/policy-preview`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ baseVersion, next: withoutOtherFields(next) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const body = await answer.json();
    if (answer.ok) return { preview: body };
    // A proxy’s answer has no sentence for people.
    if (typeof body.detail !== 'string') return NO_ANSWER;
    return { problem: body.detail, canContinue: answer.status >= 500 || answer.status === 429 };
  } catch {
    return NO_ANSWER;
  }
}

/** A draft also has prompts and limits, which decide nothing about commands. */
function withoutOtherFields(next: NextVersion): NextVersion {
  if (!('policy' in next)) return next;
  const { services, tiers, maxTier, isolation } = next.policy;
  return { policy: { services, tiers, maxTier, isolation } };
}
