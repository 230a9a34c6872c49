import { formatTokens } from '@/lib/platform/format/count';

const WINDOW = 200_000;

/**
 * "At 0.80, chains hand off above 160k of 200k tokens. In the last 30 days: 3 of 41 escalations."
 * `shares` are the context uses at those escalations; one that is not known counts as none above.
 */
export function thresholdSentence(threshold: number, shares: readonly (number | null)[]): string {
  const tokens = formatTokens(Math.round(threshold * WINDOW));
  const effect = `At ${threshold.toFixed(2)}, chains hand off above ${tokens} of ${formatTokens(WINDOW)} tokens.`;
  if (shares.length === 0) return `${effect} No chain has escalated in the last 30 days.`;
  const above = shares.filter((share) => share !== null && share > threshold).length;
  const escalations = shares.length === 1 ? '1 escalation' : `${shares.length} escalations`;
  return `${effect} In the last 30 days: ${above} of ${escalations}.`;
}
