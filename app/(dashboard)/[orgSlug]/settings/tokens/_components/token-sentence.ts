import type { ApiTokenDto } from '@/lib/identity/api-tokens/schema';

const SOON_MS = 7 * 86_400_000;

type Ends = Pick<ApiTokenDto, 'expiresAt' | 'revokedAt'>;

/** Revoked or past its end: worth nothing. */
export function isEnded({ expiresAt, revokedAt }: Ends, now: Date): boolean {
  return revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= now.getTime());
}

/** Returns whether the token expires soon enough that its user has to act. */
export function endsSoon({ expiresAt }: Ends, now: Date): boolean {
  return expiresAt !== null && Date.parse(expiresAt) - now.getTime() <= SOON_MS;
}

/** How many tokens count, and how many of them end within a week. */
export function tokensSentence(tokens: readonly Ends[], now: Date): string {
  const live = tokens.filter((token) => !isEnded(token, now));
  if (live.length === 0) return 'No valid tokens: nothing can call the API.';
  const count = live.length === 1 ? '1 token is valid' : `${live.length} tokens are valid`;
  const soon = live.filter((token) => endsSoon(token, now)).length;
  if (soon === 0) return `${count}. None of them expires within 7 days.`;
  return `${count}. ${soon === 1 ? '1 expires' : `${soon} expire`} within 7 days. Create a replacement before then.`;
}
