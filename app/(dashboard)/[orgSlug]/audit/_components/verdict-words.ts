import type { AuditVerdictDto } from '@/lib/audit/schema';
import { formatCount } from '@/lib/format/count';

/** What the check found. Its time is not part of it. */
export function verdictWords({ checked, firstBad, headMatches }: AuditVerdictDto): string {
  if (firstBad !== null) {
    return `Entry ${formatCount(firstBad)} doesn’t match its hash. Entries from there on can’t be trusted: somebody changed or removed rows in the database.`;
  }
  if (!headMatches) {
    return `The last of ${formatCount(checked)} entries isn’t the one that was written last. The newest entries were removed from the database.`;
  }
  return `Verified ${formatCount(checked)} ${checked === 1 ? 'entry' : 'entries'}, 0 gaps.`;
}
