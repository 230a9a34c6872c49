import type { SessionDetail } from '@/lib/insight/sessions/schema';
import type { ReplyUsage } from '../messages-api/reply';

/** What the ledgers of these sessions hold, to be compared with what the scripted API reported. */
export function tokensByModel(sessions: readonly SessionDetail[]): Record<string, ReplyUsage> {
  const sums: Record<string, ReplyUsage> = {};
  for (const row of sessions.flatMap((session) => session.ledger)) {
    const sum = sums[row.model];
    sums[row.model] = {
      inputTokens: (sum?.inputTokens ?? 0) + row.inputTokens,
      outputTokens: (sum?.outputTokens ?? 0) + row.outputTokens,
      cacheReadTokens: (sum?.cacheReadTokens ?? 0) + row.cacheReadTokens,
      cacheWriteTokens: (sum?.cacheWriteTokens ?? 0) + row.cacheWriteTokens,
    };
  }
  return sums;
}
