import type { AuditVerdictDto } from '@/lib/identity/audit/schema';
import { formatCount, formatCounted } from '@/lib/platform/format/count';

/** The result of a verification: how much of the log is unchanged. The time is shown elsewhere. */
export function verdictWords(verdict: AuditVerdictDto): string {
  const { checked, firstBad, headMatches, verifiedUpTo } = verdict;
  const upTo =
    verifiedUpTo > 0
      ? `Verified up to entry ${formatCount(verifiedUpTo)}`
      : 'No entry could be verified';
  if (firstBad !== null) {
    return `${upTo}. Entry ${formatCount(firstBad)} doesn’t fit: it, or one before it, was changed or removed in the database. Entries from there on can’t be trusted.`;
  }
  if (!headMatches) {
    return `${upTo}, but that isn’t the one that was written last. The newest entries were removed from the database.`;
  }
  return `${upTo}: ${formatCounted(checked, 'entry', 'entries')}, 0 gaps.`;
}
