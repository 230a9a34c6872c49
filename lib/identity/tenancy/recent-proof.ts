import type { TenantScope } from '@/lib/platform/db/scope';
import { ProofRequiredError } from '@/lib/platform/errors';

/** How long a confirmation counts for sensitive actions. */
export const PROOF_MINUTES = 10;

/** Throws ProofRequiredError when `provedAt` is missing or older than ten minutes. */
export function requireRecentProof(provedAt: Date | undefined, now: Date): void {
  const age = now.getTime() - (provedAt?.getTime() ?? 0);
  if (age > PROOF_MINUTES * 60_000) throw new ProofRequiredError();
}

/** The same for whoever acts in an organization. Tokens have no second factor: their scopes limit them. */
export function requireRecentProofOf({ actor }: TenantScope, now: Date): void {
  if (actor.kind === 'user') requireRecentProof(actor.provedAt, now);
}
